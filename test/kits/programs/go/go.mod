module gatehouse.test/app

go 1.22
