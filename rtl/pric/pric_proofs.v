// Proofs about pric_index: what `make formal` hands to the solver (rtl/proofs.list). Not synthesised, not simulated.
//
// Inputs are free: an assertion is shown for all their values. CLAIM picks one assertion, as a solver is quickest with one at
// a time.
`default_nettype none

// 0  set_o is the remainder of the hashed line address divided by POLY
// 1  two lines never have the same (tag, set)
// 2  each pair (tag, set) is that of some line
module pric_claims #(
    parameter CLAIM      = 0,
    parameter ADDR_W     = 32,
    parameter ADDR_BITS  = ADDR_W,
    parameter LINE_BYTES = 128,
    parameter SETS       = 32,
    parameter POLY       = 37
) (
    input wire [ADDR_W-1:0] a_i,
    input wire [ADDR_W-1:0] b_i
);
    localparam LINE_W = $clog2(LINE_BYTES);
    localparam SET_W  = $clog2(SETS);
    localparam A_W    = ADDR_W - LINE_W;         // bits of a line address

    wire [A_W-1:0]       line_a = a_i[ADDR_W-1:LINE_W];
    wire [A_W-1:0]       line_b = b_i[ADDR_W-1:LINE_W];
    wire [SET_W-1:0]     set_a, set_b;
    wire [A_W-SET_W-1:0] tag_a, tag_b;
    pric_index #(ADDR_W, ADDR_BITS, LINE_BYTES, SETS, POLY) of_a (.addr_i(a_i), .set_o(set_a), .tag_o(tag_a));
    pric_index #(ADDR_W, ADDR_BITS, LINE_BYTES, SETS, POLY) of_b (.addr_i(b_i), .set_o(set_b), .tag_o(tag_b));

    // Long division as by hand, highest bit first: bring down a bit, subtract POLY when it goes. No H-matrix.
    reg [SET_W:0] rest;
    integer       i;
    always @* begin
        rest = {SET_W+1{1'b0}};
        for (i = ADDR_BITS - LINE_W - 1; i >= 0; i = i - 1) begin
            rest = {rest[SET_W-1:0], line_a[i]};
            if (rest[SET_W])
                rest = rest ^ POLY;
        end
    end

    // The line of the pair (tag, set) that stands in b_i: that tag's bits above the set that makes up the difference.
    wire [ADDR_W-1:0]    base = b_i & ({ADDR_W{1'b1}} << (LINE_W + SET_W));
    wire [SET_W-1:0]     set_base, set_made;
    wire [A_W-SET_W-1:0] tag_base, tag_made;
    wire [ADDR_W-1:0]    made = base | ({{ADDR_W-SET_W{1'b0}}, line_b[SET_W-1:0] ^ set_base} << LINE_W);
    pric_index #(ADDR_W, ADDR_BITS, LINE_BYTES, SETS, POLY) of_base (.addr_i(base), .set_o(set_base), .tag_o(tag_base));
    pric_index #(ADDR_W, ADDR_BITS, LINE_BYTES, SETS, POLY) of_made (.addr_i(made), .set_o(set_made), .tag_o(tag_made));

    always @*
        case (CLAIM)
            0: assert (rest == {1'b0, set_a});
            1: if (line_a != line_b) assert ({tag_a, set_a} != {tag_b, set_b});
            default: assert ({tag_made, set_made} == line_b);
        endcase
endmodule

// ADDR_BITS = 27 against Figure 7, typed in from the paper.
//
// 0  the printed equations
// 1  they are the exact remainder where A[31:27] is 0
// 2  the tag is A[31:12] in both forms
module pric_figure_7 #(
    parameter CLAIM = 0
) (
    input wire [31:0] A
);
    wire [4:0]  printed, exact;
    wire [19:0] tag_printed, tag_exact;
    pric_index #(.ADDR_BITS(27)) of_printed (.addr_i(A), .set_o(printed), .tag_o(tag_printed));
    pric_index                   of_exact   (.addr_i(A), .set_o(exact), .tag_o(tag_exact));

    wire [4:0] I;
    assign I[0] = A[25]^A[24]^A[23]^A[22]^A[21]^A[18]^A[17]^A[15]^A[12]^A[7];
    assign I[1] = A[26]^A[25]^A[24]^A[23]^A[22]^A[19]^A[18]^A[16]^A[13]^A[8];
    assign I[2] = A[26]^A[22]^A[21]^A[20]^A[19]^A[18]^A[15]^A[14]^A[12]^A[9];
    assign I[3] = A[23]^A[22]^A[21]^A[20]^A[19]^A[16]^A[15]^A[13]^A[10];
    assign I[4] = A[24]^A[23]^A[22]^A[21]^A[20]^A[17]^A[16]^A[14]^A[11];

    always @*
        case (CLAIM)
            0: assert (printed == I);
            1: if (A[31:27] == 5'd0) assert (printed == exact);
            default: assert (tag_printed == A[31:12] && tag_exact == A[31:12]);
        endcase
endmodule

// A warp down a column: 32 lanes, one row each, rows 2^PITCH_W bytes apart. A block is 32 rows whose first number is a multiple
// of 32.
//
// 0  two lanes in one block share a set exactly when their row numbers agree in the lowest SPREAD bits: a warp that starts
//    with a block falls into exactly 2^SPREAD sets
// 1  the lanes lie in at most two blocks, the one or the other holding at least 16 of them: with SPREAD = 5 any other start
//    falls into 16 to 32 sets
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

    wire [31:0]      addr_j = first_i + ({27'd0, j_i} << PITCH_W);
    wire [31:0]      addr_k = first_i + ({27'd0, k_i} << PITCH_W);
    wire [4:0]       set_j, set_k;
    wire [19:0]      tag_j, tag_k;
    pric_index #(.ADDR_BITS(ADDR_BITS), .POLY(POLY)) of_j (.addr_i(addr_j), .set_o(set_j), .tag_o(tag_j));
    pric_index #(.ADDR_BITS(ADDR_BITS), .POLY(POLY)) of_k (.addr_i(addr_k), .set_o(set_k), .tag_o(tag_k));

    wire [ROW_W-1:0] row   = first_i[31:PITCH_W];
    wire [ROW_W-1:0] row_j = addr_j[31:PITCH_W];
    wire [ROW_W-1:0] row_k = addr_k[31:PITCH_W];
    wire [ROW_W-1:0] block = row >> 5;
    wire [ROW_W-1:0] after = (row + 6'd32) >> 5;
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
endmodule
`default_nettype wire
