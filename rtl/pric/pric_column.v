// pric_column: the sets of a warp down a column (make formal): 32 lanes, one row each, rows 2^PITCH_W bytes apart. A
// block is 32 rows whose first number is a multiple of 32.
//
// 0  two lanes in one block share a set exactly when their row numbers agree in the lowest SPREAD bits: a warp that
//    starts with a block falls into exactly 2^SPREAD sets
// 1  the lanes are in at most two blocks, the one or the other holding at least 16 of them: with SPREAD = 5 any other
//    start falls into 16 to 32 sets
`default_nettype none
module pric_column #(
    parameter CLAIM     = 0,
    parameter ADDR_BITS = 32,
    parameter POLY      = 37,
    parameter PITCH_W   = 12,
    parameter SPREAD    = 5
) (
    input wire [31:0] first_i,                   // address that lane 0 reads
    input wire [4:0]  j_i,                       // two lanes
    input wire [4:0]  k_i
);
    localparam ROW_W = 32 - PITCH_W;
    localparam [ROW_W-1:0] BLOCK = 32;

    wire [31:0]      addr_j = first_i + ({27'd0, j_i} << PITCH_W);
    wire [31:0]      addr_k = first_i + ({27'd0, k_i} << PITCH_W);
    wire [4:0]       set_j, set_k;
    wire [19:0]      unused_j, unused_k;
    pric_index #(.ADDR_BITS(ADDR_BITS), .POLY(POLY)) of_j (.addr_i(addr_j), .set_o(set_j), .tag_o(unused_j));
    pric_index #(.ADDR_BITS(ADDR_BITS), .POLY(POLY)) of_k (.addr_i(addr_k), .set_o(set_k), .tag_o(unused_k));

    wire [ROW_W-1:0] row   = first_i[31:PITCH_W];
    wire [ROW_W-1:0] row_j = addr_j[31:PITCH_W];
    wire [ROW_W-1:0] row_k = addr_k[31:PITCH_W];
    wire [ROW_W-1:0] block = row >> 5;
    wire [ROW_W-1:0] after = (row + BLOCK) >> 5;
    wire [5:0]       n_block = 6'd32 - {1'b0, row[4:0]};

    always @*
        case (CLAIM)
            0: if (row_j >> 5 == row_k >> 5)
                   assert ((set_j == set_k) == (((row_j ^ row_k) & ((1 << SPREAD) - 1)) == 0));
            default: begin
                   assert ((row_j >> 5) == ({1'b0, j_i} < n_block ? block : after));
                   assert (n_block >= 6'd16 || 6'd32 - n_block >= 6'd16);
            end
        endcase

    // What the above talks about can happen.
    always @* begin
        one_block: cover (row_j >> 5 == row_k >> 5 && j_i != k_i);
        two_blocks: cover (row_j >> 5 != row_k >> 5 && set_j == set_k);
    end
endmodule
`default_nettype wire
