// div3: exact quotient and remainder of a number by three.
//
// Long division in base 4, from the top: a quotient digit and the next remainder are tables of the digit and of the
// remainder of what is above it. As 4 = 1 modulo 3, the remainder above a group of four digits is also the sum, modulo
// 3, of the groups above; these sums are formed for all groups at once, so that only one small adder a group is in the
// longest path, and not one a digit.
//
// Latency     none: combinational from x_i.
// Throughput  a number a cycle.
// Handshake   none.
// Source      our choice; the skipping is that of a carry-skip adder.
// Golden twin csim/hw/twins/addr_decoder.h (C's division)
`default_nettype none
module div3 #(
    parameter W = 32                     // bits of the number, 2..64
) (
    input  wire [W-1:0] x_i,
    output wire [W-2:0] q_o,
    output wire [1:0]   r_o
);
    localparam N   = (W + 7) / 8;        // groups of four digits
    localparam X_W = 8 * N;

    generate
        if (W < 2 || W > 64) begin : g_bad_w
            ILLEGAL_W_must_be_2_to_64 u ();
        end
    endgenerate

    // Tables of 4 * above + digit, from 15 down: the number modulo 3, which is also the sum of the two digits modulo
    // 3, and the number / 3 where above is a remainder, 0 to 2. They are constants that are indexed: a simulator
    // takes a shift to look into such a table, and a chain of comparisons for a case statement.
    localparam [31:0] REST =
        {2'd0, 2'd2, 2'd1, 2'd0, 2'd2, 2'd1, 2'd0, 2'd2, 2'd1, 2'd0, 2'd2, 2'd1, 2'd0, 2'd2, 2'd1, 2'd0};
    localparam [31:0] THIRD =
        {8'd0, 2'd3, 2'd3, 2'd3, 2'd2, 2'd2, 2'd2, 2'd1, 2'd1, 2'd1, 2'd0, 2'd0, 2'd0};

    function [1:0] rest(input [1:0] above, input [1:0] digit);
        rest = REST[{above, digit, 1'b0} +: 2];
    endfunction

    function [1:0] third(input [1:0] above, input [1:0] digit);
        third = THIRD[{above, digit, 1'b0} +: 2];
    endfunction

    wire [X_W-1:0] x = {{X_W-W{1'b0}}, x_i};
    wire [X_W-1:0] q;

    genvar n;
    generate
        for (n = 0; n < N; n = n + 1) begin : g_group
            wire [7:0] d = x[8*n +: 8];
            wire [1:0] above, below;     // the remainder of all above the group, and with the group
            wire [1:0] r3 = rest(above, d[7:6]);
            wire [1:0] r2 = rest(r3, d[5:4]);
            wire [1:0] r1 = rest(r2, d[3:2]);
            if (n == N - 1) begin : g_top
                assign above = 2'd0;
            end else begin : g_further
                assign above = g_group[n+1].below;
            end
            assign below = rest(above, rest(rest(d[7:6], d[5:4]), rest(d[3:2], d[1:0])));
            assign q[8*n +: 8] = {third(above, d[7:6]), third(r3, d[5:4]), third(r2, d[3:2]), third(r1, d[1:0])};
        end
    endgenerate

    assign q_o = q[W-2:0];
    assign r_o = g_group[0].below;

    wire unused_top = ^q[X_W-1:W-1];     // 0: the quotient has a bit less than the number
endmodule
`default_nettype wire
