module gatehouse.internal/gatehouse

go 1.22
