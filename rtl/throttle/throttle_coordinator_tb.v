// Runs cycles of the golden twin through throttle_coordinator. For Icarus (tests/668).
`default_nettype none
module throttle_coordinator_tb #(
    parameter SMS = 15,
    parameter KERNELS = 8,
    parameter N = 2,
    parameter THRESHOLD = 10,
    parameter PER_CYCLES = 0,
    parameter ANY = 0,
    parameter COUNT_W = 32
);
    localparam SLOT_W = KERNELS > 2 ? $clog2(KERNELS) : 1;
    localparam SM_W = SMS > 2 ? $clog2(SMS) : 1;
    localparam IN_W  = 1 + SLOT_W + COUNT_W + COUNT_W + 7 + 1;
    localparam OUT_W = 1 + SM_W + 1 + SLOT_W + 2 + 7 + 1 + 2 + 1 + 1 + 7 + 1;

`include "clocked_tb.vh"
    wire msg_valid;
    wire [SLOT_W-1:0] msg_slot;
    wire [COUNT_W-1:0] msg_commits;
    wire [COUNT_W-1:0] msg_misses;
    wire [7-1:0] msg_most;
    wire ord_ready;
    wire msg_ready;
    wire [SM_W-1:0] turn;
    wire ord_valid;
    wire [SLOT_W-1:0] ord_slot;
    wire [2-1:0] ord_mode;
    wire [7-1:0] ord_limit;
    wire dec_valid;
    wire [2-1:0] dec_mode;
    wire dec_above;
    wire dec_voted;
    wire [7-1:0] dec_winner;
    wire busy;
    assign {
        ord_ready, msg_most, msg_misses, msg_commits, msg_slot, msg_valid
    } = in;
    assign out = {
        busy, dec_winner, dec_voted, dec_above, dec_mode, dec_valid, ord_limit, ord_mode, ord_slot, ord_valid,
        turn, msg_ready
    };
    throttle_coordinator #(
        .SMS(SMS), .KERNELS(KERNELS), .N(N), .THRESHOLD(THRESHOLD), .PER_CYCLES(PER_CYCLES), .ANY(ANY),
        .COUNT_W(COUNT_W)
    ) dut (
        .clk_i(clk), .rst_i(rst),
        .msg_valid_i(msg_valid), .msg_slot_i(msg_slot), .msg_commits_i(msg_commits),
        .msg_misses_i(msg_misses), .msg_most_i(msg_most), .ord_ready_i(ord_ready), .msg_ready_o(msg_ready),
        .turn_o(turn), .ord_valid_o(ord_valid), .ord_slot_o(ord_slot), .ord_mode_o(ord_mode),
        .ord_limit_o(ord_limit), .dec_valid_o(dec_valid), .dec_mode_o(dec_mode), .dec_above_o(dec_above),
        .dec_voted_o(dec_voted), .dec_winner_o(dec_winner), .busy_o(busy)
    );
endmodule
`default_nettype wire
