// pric_index_fault: pric_index with one entry of its H-matrix flipped while fault_on_i is high.
//
// Flipping entry (row, bit) takes the term A[bit] out of set bit row where it is in the sum and puts it in where it
// does not: each single-term deletion and insertion of the hash, in one build. It shows that the directed vectors and
// the lockstep catch such a fault; the block itself stays as it is. With fault_on_i low this is pric_index.
`default_nettype none
module pric_index_fault #(
    parameter ADDR_W     = 32,           // as in pric_index
    parameter ADDR_BITS  = ADDR_W,
    parameter LINE_BYTES = 128,
    parameter SETS       = 32,
    parameter POLY       = 37
) (
    input  wire                                              fault_on_i,
    input  wire [3:0]                                        fault_row_i,  // set bit
    input  wire [5:0]                                        fault_bit_i,  // address bit
    input  wire [ADDR_W-1:0]                                 addr_i,
    output wire [$clog2(SETS)-1:0]                           set_o,
    output wire [ADDR_W-$clog2(LINE_BYTES)-$clog2(SETS)-1:0] tag_o
);
    localparam SET_W = $clog2(SETS);

    wire [SET_W-1:0]  set;
    wire [ADDR_W-1:0] term = addr_i & ({{ADDR_W-1{1'b0}}, fault_on_i} << fault_bit_i);
    wire [SET_W-1:0]  flip = {{SET_W-1{1'b0}}, |term} << fault_row_i;

    pric_index #(
        .ADDR_W(ADDR_W), .ADDR_BITS(ADDR_BITS), .LINE_BYTES(LINE_BYTES), .SETS(SETS), .POLY(POLY)
    ) u_pric (
        .addr_i(addr_i), .set_o(set), .tag_o(tag_o)
    );

    assign set_o = set ^ flip;
endmodule
`default_nettype wire
