// The clock and the log of a test bench: cycles of a golden twin through a block, from +vectors=FILE, a line a cycle:
// all inputs and then all outputs before the edge, each a number in hex in which the ports are in the twin's
// order, the first one lowest (tests/support/icarus.h writes them).
//
// A bench includes this behind its localparams IN_W and OUT_W, the bits of each, joins clk, rst and in to the block's
// inputs, and assigns its outputs to out.
    reg              clk, rst;
    reg  [IN_W-1:0]  in, given;
    wire [OUT_W-1:0] out;
    reg  [OUT_W-1:0] want;
    reg  [8*256-1:0] path;
    integer          file, cycles, mismatches;
    initial begin
        cycles = 0; mismatches = 0;
        clk = 0; rst = 1; in = 0;
        #1 clk = 1; #1 clk = 0; rst = 0;
        if ($value$plusargs("vectors=%s", path) == 0) $finish;
        file = $fopen(path, "r");
        while ($fscanf(file, "%h %h", given, want) == 2) begin
            in = given;                  // by assignment: of $fscanf, Verilator 5.006 wakes nothing
            #1;
            if (out !== want) mismatches = mismatches + 1;
            cycles = cycles + 1;
            #1 clk = 1; #1 clk = 0;
        end
        $display("%0d cycles, %0d mismatches", cycles, mismatches);
        $finish;
    end
