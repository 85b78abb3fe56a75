// decoder_figure_6: Figure 6 of coda (make formal): four stacks, pages of 4 KB, blocks of 1 KB: block n is the n-th KB
// of memory. FGP 0, blocks 0 to 3, becomes a CGP while the pages 1 to 3 of its group stay FGP.
//
// CLAIM 0  that its blocks fall upon blocks 4, 8 and 12 occurs (cover: three traces)
// CLAIM 1  and upon no others, in no other stack
// CLAIM 2  with all four pages CGP none falls upon another
`default_nettype none
module decoder_figure_6 #(
    parameter CLAIM = 0
) (
    input wire [17:0] group_i,           // any group of four pages
    input wire [1:0]  block_i,           // a block of page 0
    input wire [3:0]  other_i,           // a block of the other three
    input wire [9:0]  byte_i,
    input wire [9:0]  other_byte_i
);
    wire [31:0] a = {group_i, 2'b00, block_i, byte_i}, b = {group_i, other_i, other_byte_i};
    wire [1:0]  a_stack, b_stack;
    wire [29:0] a_local, b_local;
    wire        a_channel, b_channel;
    wire [29:0] a_chl, b_chl;
    wire [3:0]  a_bank, b_bank;
    wire [13:0] a_row, b_row;
    wire [5:0]  a_column, b_column;
    addr_decoder #(.ADDR_W(32), .CHANNELS(1)) of_a (a, 4'd1, a_stack, a_local, a_channel, a_chl, a_bank, a_row, a_column);
    addr_decoder #(.ADDR_W(32), .CHANNELS(1)) of_b (b, CLAIM == 2 ? 4'd1 : 4'd0, b_stack, b_local, b_channel, b_chl, b_bank, b_row, b_column);

    wire unused = &{1'b0, a_channel, b_channel, a_chl, b_chl, a_bank, b_bank, a_row, b_row, a_column, b_column};

    wire same = a_stack == b_stack && a_local == b_local;
    always @*
        if (other_i >= 4'd4)
            case (CLAIM)
                0: begin
                    block_1_upon_4: cover (same && block_i == 2'd1 && other_i == 4'd4);
                    block_2_upon_8: cover (same && block_i == 2'd2 && other_i == 4'd8);
                    block_3_upon_12: cover (same && block_i == 2'd3 && other_i == 4'd12);
                end
                1: assert (!same || (a_stack == 2'd0 && block_i != 2'd0 && other_i == {block_i, 2'b00} && byte_i == other_byte_i));
                default: assert (!same);
            endcase
endmodule
`default_nettype wire
