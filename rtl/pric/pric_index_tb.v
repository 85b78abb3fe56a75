// Runs vectors of the golden twin through pric_index: +vectors=FILE, a line "addr set tag" in hex each. For Icarus
// (tests/605).
`default_nettype none
module pric_index_tb #(
    parameter ADDR_W     = 32,
    parameter ADDR_BITS  = ADDR_W,
    parameter LINE_BYTES = 128,
    parameter SETS       = 32,
    parameter POLY       = 37
);
    localparam SET_W = $clog2(SETS);
    localparam TAG_W = ADDR_W - $clog2(LINE_BYTES) - SET_W;

    reg  [ADDR_W-1:0] addr;
    wire [SET_W-1:0]  set;
    wire [TAG_W-1:0]  tag;
    pric_index #(ADDR_W, ADDR_BITS, LINE_BYTES, SETS, POLY) dut (.addr_i(addr), .set_o(set), .tag_o(tag));

    reg [8*256-1:0]  path;
    reg [ADDR_W-1:0] given;
    reg [SET_W-1:0]  want_set;
    reg [TAG_W-1:0]  want_tag;
    integer          file, vectors, mismatches;
    initial begin
        vectors    = 0;
        mismatches = 0;
        if ($value$plusargs("vectors=%s", path) == 0) $finish;
        file = $fopen(path, "r");
        while ($fscanf(file, "%h %h %h", given, want_set, want_tag) == 3) begin
            addr = given;                // by assignment: of $fscanf, Verilator 5.006 wakes nothing
            #1;
            if (set !== want_set || tag !== want_tag) mismatches = mismatches + 1;
            vectors = vectors + 1;
        end
        $display("%0d vectors, %0d mismatches", vectors, mismatches);
        $finish;
    end
endmodule
`default_nettype wire
