int expected(int i)
{
	return i * i + 1;
}
