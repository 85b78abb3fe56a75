// paver_dispatch: walks the group table and asks memory, for one SM after the other: for its next CTA, or, if it has
// none left, for the next group.
//
// Latency     an SM that asks in a cycle has its request on req_valid_o in the next one, if it is its turn and the
//             register is free.
// Throughput  a request a cycle.
// Handshake   ready/valid; a request holds until it is taken; req_o depends on registers alone.
// Source      paver, sections 5.1 and 5.3 (Figure 9)
`default_nettype none
module paver_dispatch #(
    parameter SMS   = 15,                     // all as in paver_top
    parameter PTR_W = 16,
    parameter SM_W  = SMS > 2 ? $clog2(SMS) : 1
) (
    input  wire                 clk_i,
    input  wire                 rst_i,        // synchronous, active high
    input  wire                 cfg_i,        // a launch; nothing is on its way
    input  wire [PTR_W-1:0]     cfg_groups_i,
    input  wire [SMS*PTR_W-1:0] next_i,
    input  wire [SMS-1:0]       empty_i,
    input  wire [SMS-1:0]       pinned_i,
    input  wire                 hold_i,       // this SM does not ask now
    input  wire [SM_W-1:0]      hold_sm_i,
    output wire [SMS-1:0]       ask_o,        // whose request begins
    output wire                 groups_left_o,
    output wire                 need_o,       // some SM wants something
    output wire                 req_valid_o,
    input  wire                 req_ready_i,
    output wire                 req_group_o,
    output wire [PTR_W-1:0]     req_index_o,
    output wire [SM_W-1:0]      req_tag_o
);
    reg [PTR_W-1:0] group_q;
    reg [PTR_W-1:0] groups_q;
    reg [SM_W-1:0]  turn_q;
    reg             req_valid_q;
    reg             req_group_q;
    reg [PTR_W-1:0] req_index_q;
    reg [SM_W-1:0]  req_tag_q;

    wire           left = group_q != groups_q;
    wire           free = !req_valid_q || req_ready_i;
    wire [SMS-1:0] need = ~pinned_i & (~empty_i | {SMS{left}});
    wire [SMS-1:0] held = {{SMS-1{1'b0}}, hold_i} << hold_sm_i;
    wire [SMS-1:0] pick;
    wire           any;
    wire [SM_W-1:0] index;
    wire [SM_W-1:0] after;
    wire           go    = free && any;
    wire           group = empty_i[index];

    paver_pick #(.N(SMS)) round (
        .want_i(need & ~held), .turn_i(turn_q), .any_o(any), .pick_o(pick), .index_o(index), .after_o(after)
    );

    assign ask_o         = pick & {SMS{free}};
    assign groups_left_o = left;
    assign need_o        = |need;
    assign req_valid_o   = req_valid_q;
    assign req_group_o   = req_group_q;
    assign req_index_o   = req_index_q;
    assign req_tag_o     = req_tag_q;

    always @(posedge clk_i)
        if (rst_i) begin
            group_q     <= {PTR_W{1'b0}};
            groups_q    <= {PTR_W{1'b0}};
            turn_q      <= {SM_W{1'b0}};
            req_valid_q <= 1'b0;
            req_group_q <= 1'b0;
            req_index_q <= {PTR_W{1'b0}};
            req_tag_q   <= {SM_W{1'b0}};
        end else begin
            req_valid_q <= go || (req_valid_q && !req_ready_i);
            if (go) begin
                req_group_q <= group;
                req_index_q <= group ? group_q : next_i[index*PTR_W +: PTR_W];
                req_tag_q   <= index;
                turn_q      <= after;
                group_q     <= group_q + {{PTR_W-1{1'b0}}, group};
            end
            if (cfg_i) begin
                group_q  <= {PTR_W{1'b0}};
                groups_q <= cfg_groups_i;
                turn_q   <= {SM_W{1'b0}};
            end
        end

`ifdef FORMAL
    // Proved as part of paver_top. Without a cause nothing moves.
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(!req_valid_q && !need_o && !cfg_i))
                quiet: assert ($stable(group_q) && $stable(groups_q) && $stable(turn_q) && $stable(req_valid_q) &&
                               $stable(req_group_q) && $stable(req_index_q) && $stable(req_tag_q));
            // A request begins whenever one is wanted and the register is free, but for the SM that is held.
            if ($past(need_o && free && !hold_i)) begins: assert (req_valid_q);
        end
    always @*
        if (started_q && !rst_i) turn_is_legal: assert (turn_q < SMS);
`endif
endmodule
`default_nettype wire
