// paver_turns_claims: what is proved of PAVER's two arbiters, each for itself and whatever the rest of the block does,
// so at the sizes of the machines: SMs take turns, and none starves. watched is any SM.
//
// The dispatcher chooses whose request begins. If memory takes a request within K cycles, an SM that wants one waits
// less than SMS * K cycles; the cycle in which it is stolen from, when it may not ask, begins the count anew.
//
// The stealer chooses a recipient every T = SMS + PTR_W + 3 cycles while there is one. An SM that could be one in every
// cycle waits less than SMS * T.
//
// This file is read before the others: with it the stealer's own claims, which are about the joined block, are left
// out.
`default_nettype none
`define PAVER_ARBITERS_ALONE
module paver_turns_claims #(
    parameter SMS   = 15,                  // all as in paver_top
    parameter PTR_W = 4,
    parameter SM_W  = SMS > 2 ? $clog2(SMS) : 1,
    parameter K     = 3
) (
    input wire                 clk_i,
    input wire                 rst_i,
    input wire                 cfg_i,
    input wire [PTR_W-1:0]     cfg_groups_i,
    input wire                 cfg_steal_i,
    input wire [SMS*PTR_W-1:0] next_i,
    input wire [SMS*PTR_W-1:0] tail_i,
    input wire [SMS-1:0]       empty_i,
    input wire [SMS-1:0]       pinned_i,
    input wire [SMS-1:0]       spare_i,
    input wire [SMS-1:0]       ready_i,
    input wire                 hold_i,
    input wire [SM_W-1:0]      hold_sm_i,
    input wire                 groups_left_i,
    input wire                 req_ready_i
);
    localparam T = SMS + PTR_W + 3;
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [SM_W-1:0] watched;  // the solver chooses
    // verilator lint_on UNDRIVEN
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;

    // ---- the blocks ----

    wire [SMS-1:0]   ask;
    wire             groups_left, unused_need, req_valid, unused_group, unused_hold, unused_steal, idle, unused_busy;
    wire [PTR_W-1:0] unused_index, unused_count, unused_from, unused_to;
    wire [SM_W-1:0]  unused_tag, unused_donor, recipient;
    paver_dispatch #(.SMS(SMS), .PTR_W(PTR_W), .SM_W(SM_W)) dispatch (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_i), .cfg_groups_i(cfg_groups_i), .next_i(next_i), .empty_i(empty_i),
        .pinned_i(pinned_i), .hold_i(hold_i), .hold_sm_i(hold_sm_i), .ask_o(ask), .groups_left_o(groups_left), .need_o(unused_need),
        .req_valid_o(req_valid), .req_ready_i(req_ready_i), .req_group_o(unused_group), .req_index_o(unused_index),
        .req_tag_o(unused_tag)
    );
    paver_steal #(.SMS(SMS), .PTR_W(PTR_W), .SM_W(SM_W)) steal (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_i), .cfg_steal_i(cfg_steal_i), .groups_left_i(groups_left_i),
        .next_i(next_i), .tail_i(tail_i), .empty_i(empty_i), .pinned_i(pinned_i), .spare_i(spare_i), .ready_i(ready_i),
        .hold_o(unused_hold), .steal_o(unused_steal), .donor_o(unused_donor), .recipient_o(recipient), .count_o(unused_count),
        .from_o(unused_from), .to_o(unused_to), .idle_o(idle), .busy_o(unused_busy)
    );
`ifdef YOSYS
    (* hierconn *) wire [SM_W-1:0] \dispatch.turn_q , \steal.turn_q , \steal.index ;
    (* hierconn *) wire \steal.start , \steal.on_q ;
    (* hierconn *) wire [2:0] \steal.state_q ;
    (* hierconn *) wire [(SM_W > 5 ? SM_W : 5)-1:0] \steal.step_q ;
`endif
    always @* begin
        if (!started_q) assume (rst_i);
        assume (watched < SMS && hold_sm_i < SMS);
        if (cfg_i) assume (idle);
    end

    // How many turns before the watched SM's, from the one of turn on.
    function [15:0] turns(input [SM_W-1:0] turn);
        turns = {{16-SM_W{1'b0}}, watched} - {{16-SM_W{1'b0}}, turn} + (watched < turn ? SMS[15:0] : 16'd0);
    endfunction

    // ---- the dispatcher ----

    wire [SMS-1:0] wants  = ~pinned_i & (~empty_i | {SMS{groups_left}}) & ~({{SMS-1{1'b0}}, hold_i} << hold_sm_i);
    wire           free   = !req_valid || req_ready_i;
    reg  [15:0]    stood_q, ask_wait_q;      // of the request; of the watched SM
    reg  [7:0]     ask_passed_q;             // how often others were chosen where it wanted to be
    always @(posedge clk_i) begin
        stood_q    <= rst_i || free ? 16'd0 : stood_q + 16'd1;
        ask_wait_q <= rst_i || cfg_i || !wants[watched] || ask[watched] ? 16'd0 : ask_wait_q + 16'd1;
        if (rst_i || cfg_i || (|ask && (!wants[watched] || ask[watched]))) ask_passed_q <= 8'd0;
        else if (|ask) ask_passed_q <= ask_passed_q + 8'd1;
    end
    always @* assume (free || stood_q < K - 1);
    wire [15:0] until_free = req_valid ? K - 16'd1 - stood_q : 16'd0;
    always @*
        if (started_q && !rst_i) begin
            asks_only_if_it_wants: assert ((ask & ~wants) == 0);
            one_asks: assert ((ask & (ask - 1'b1)) == 0);
            asks_at_once: assert (!free || wants == 0 || ask != 0);
            each_in_turn: assert (ask_passed_q < SMS);
            none_starves: assert (ask_wait_q < SMS * K);
            // What makes them inductive.
            stood_is_bounded: assert (stood_q < K && (req_valid || stood_q == 0));
            ask_turn_is_legal: assert (dispatch.turn_q < SMS);
            passed_is_turns: assert ({8'd0, ask_passed_q} + turns(dispatch.turn_q) < SMS);
            waits_for_turns: assert (ask_wait_q + until_free + turns(dispatch.turn_q) * K < SMS * K);
        end

    // ---- the stealer ----

    localparam [2:0] SCAN = 3'd1, DIVIDE = 3'd2, COUNT = 3'd3, APPLY = 3'd4;
    wire [2:0]     state = steal.state_q;
    wire [15:0]    step  = {{16-(SM_W > 5 ? SM_W : 5){1'b0}}, steal.step_q};
    reg            on_q;
    wire [SMS-1:0] hungry = empty_i & ~pinned_i & ready_i & {SMS{on_q && !groups_left_i && |spare_i}};
    wire           begins = steal.start;
    wire           chosen = begins && steal.index == watched;
    reg  [15:0]    steal_wait_q;
    reg  [7:0]     steal_passed_q;
    always @(posedge clk_i) begin
        if (rst_i) on_q <= 1'b0;
        else if (cfg_i) on_q <= cfg_steal_i;
        steal_wait_q <= rst_i || cfg_i || !hungry[watched] || chosen ? 16'd0 : steal_wait_q + 16'd1;
        if (rst_i || cfg_i || (begins && (!hungry[watched] || chosen))) steal_passed_q <= 8'd0;
        else if (begins) steal_passed_q <= steal_passed_q + 8'd1;
    end
    wire [15:0] until_idle = state == SCAN ? T[15:0] - 16'd1 - step : state == DIVIDE ? PTR_W[15:0] + 16'd2 - step :
                             state == COUNT ? 16'd2 : state == APPLY ? 16'd1 : 16'd0;
    always @*
        if (started_q && !rst_i) begin
            chooses_the_hungry: assert (!begins || hungry[steal.index]);
            chooses_at_once: assert (begins == (idle && hungry != 0));
            each_steals_in_turn: assert (steal_passed_q < SMS);
            none_starves_of_work: assert (steal_wait_q < SMS * T);
            // What makes them inductive.
            stages_are_legal: assert (state <= APPLY && (state != SCAN || step < SMS) && (state != DIVIDE || step < PTR_W));
            on_is_known: assert (steal.on_q == on_q);
            steal_turn_is_legal: assert (steal.turn_q < SMS);
            stolen_is_turns: assert ({8'd0, steal_passed_q} + turns(steal.turn_q) < SMS);
            steals_for_turns: assert (steal_wait_q + until_idle + turns(steal.turn_q) * T < SMS * T);
        end
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i) && $past(begins))
            recipient_is_chosen: assert (!idle && recipient == $past(steal.index));

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            passed_by_all: cover (ask_passed_q == SMS - 1 && ask[watched]);
            longest_wait: cover (ask_wait_q == SMS * K - 1 && ask[watched]);
            held_in_its_turn: cover (hold_i && hold_sm_i == watched && dispatch.turn_q == watched && ask != 0);
            steals_after_another: cover (chosen && steal_passed_q != 0);
        end
endmodule
`default_nettype wire
