// Runs a Verilated test bench (class Vtb) to its end and writes the coverage counts to the file that
// LOCUS_COVERAGE_FILE names. Verilator 5.006's own --binary main does not write them.
#include <cstdlib>
#include <memory>
#include <verilated.h>
#include <verilated_cov.h>
#include "Vtb.h"

int main(int argc, char **argv)
{
	const std::unique_ptr<VerilatedContext> context{new VerilatedContext};
	context->commandArgs(argc, argv);
	const std::unique_ptr<Vtb> tb{new Vtb{context.get()}};
	while (!context->gotFinish()) {
		tb->eval();
		if (!tb->eventsPending())
			break;
		context->time(tb->nextTimeSlot());
	}
	tb->final();
	context->coveragep()->write(std::getenv("LOCUS_COVERAGE_FILE"));
	return 0;
}
