// What is claimed of the three stages together: what the proofs of each stage assume of its neighbours holds (so they
// hold here); a memory request holds until it is taken, a read is the only one of its tag; nothing waits for ever: if
// memory takes a request in K cycles and answers a read in K more, a value is in its extent's line within 4 K + 1, a
// request of the inverse relation is answered within 5 K, and a command goes once the stores before it have ended
// within 2 K. Where nothing is on its way nothing moves.
//
// With the bounds of tafe_inverse_claims this bounds a store: no stage waits for a stage before it, each for those
// behind it. Registers are seen under their names: Verilator looks them up, Yosys joins the wires below when it
// flattens (hierconn). This file is read before the stages: with it, what they assume in their own proofs is not
// assumed.
`default_nettype none
`define TAFE_STAGES_JOINED
module tafe_top_claims #(
    parameter K       = 2,
    parameter ADDR_W  = 16,
    parameter INDEX_W = 4,
    parameter TB_W    = 4,
    parameter BLOCK_W = 2
) (
    input wire                 clk_i,
    input wire                 rst_i,
    input wire                 st_valid_i,
    input wire [ADDR_W-1:0]    st_addr_i,
    input wire [63:0]          st_data_i,
    input wire [1:0]           st_size_i,
    input wire                 cmd_valid_i,
    input wire [1:0]           cmd_op_i,
    input wire                 cmd_entry_i,
    input wire [ADDR_W-1:0]    cmd_base_i,
    input wire [ADDR_W-1:0]    cmd_limit_i,
    input wire [1:0]           cmd_size_i,
    input wire                 cmd_type_i,
    input wire [ADDR_W-7:0]    cmd_extents_i,
    input wire [ADDR_W-7:0]    cmd_source_i,
    input wire [INDEX_W-1:0]   cmd_c_s_i,
    input wire [INDEX_W-1:0]   cmd_c_e_i,
    input wire [TB_W-1:0]      cmd_ctas_i,
    input wire [TB_W-1:0]      cmd_grid_x_i,
    input wire [TB_W-1:0]      cmd_grid_y_i,
    input wire [3*BLOCK_W-1:0] cmd_block_i,
    input wire                 req_ready_i,
    input wire                 rsp_valid_i,
    input wire                 rsp_tag_i,
    input wire [511:0]         rsp_data_i
);
    localparam LINE_W = ADDR_W - 6;
    localparam [2:0] IDLE = 3'd0, REQUEST = 3'd1, WAIT = 3'd2;

    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;

    wire              cmd_ready, req_valid, req_write, req_tag, busy;
    wire              unused_st_ready, unused_tracked, unused_miss, unused_unmatched, unused_saturated;
    wire [LINE_W-1:0] unused_req_line;
    wire [511:0]      unused_req_data;
    tafe_top #(.ENTRIES(2), .ADDR_W(ADDR_W), .INDEX_W(INDEX_W), .TB_W(TB_W), .BLOCK_W(BLOCK_W)) dut (
        .clk_i(clk_i), .rst_i(rst_i), .st_valid_i(st_valid_i), .st_ready_o(unused_st_ready), .st_addr_i(st_addr_i), .st_data_i(st_data_i),
        .st_size_i(st_size_i), .cmd_valid_i(cmd_valid_i), .cmd_ready_o(cmd_ready), .cmd_op_i(cmd_op_i), .cmd_entry_i(cmd_entry_i),
        .cmd_base_i(cmd_base_i), .cmd_limit_i(cmd_limit_i), .cmd_size_i(cmd_size_i), .cmd_type_i(cmd_type_i),
        .cmd_extents_i(cmd_extents_i), .cmd_source_i(cmd_source_i), .cmd_c_s_i(cmd_c_s_i), .cmd_c_e_i(cmd_c_e_i),
        .cmd_ctas_i(cmd_ctas_i), .cmd_grid_x_i(cmd_grid_x_i), .cmd_grid_y_i(cmd_grid_y_i), .cmd_block_i(cmd_block_i),
        .req_valid_o(req_valid), .req_ready_i(req_ready_i), .req_write_o(req_write), .req_tag_o(req_tag), .req_line_o(unused_req_line),
        .req_data_o(unused_req_data), .rsp_valid_i(rsp_valid_i), .rsp_tag_i(rsp_tag_i), .rsp_data_i(rsp_data_i), .ev_tracked_o(unused_tracked),
        .ev_miss_o(unused_miss), .ev_unmatched_o(unused_unmatched), .ev_saturated_o(unused_saturated), .busy_o(busy)
    );
`ifdef YOSYS
    (* hierconn *) wire \dut.drain_q , \dut.apply , \dut.setup , \dut.empty , \dut.el_valid , \dut.ins_valid , \dut.ext_req ;
    (* hierconn *) wire \dut.inv_busy , \dut.inv.hist_hit ;
    (* hierconn *) wire [2:0] \dut.inv.state_q ;
    (* hierconn *) wire \dut.ext.wait_q , \dut.ext.in_valid_q , \dut.ext.here , \dut.ext.dirty_q , \dut.ext.flush_i , \dut.ext.valid_q ;
    (* hierconn *) wire [1:0] \dut.cmp.valid_q , \dut.cmp.type_q ;
    (* hierconn *) wire [2*ADDR_W-1:0] \dut.cmp.base_q , \dut.cmp.limit_q ;
    (* hierconn *) wire [3:0] \dut.cmp.size_q ;
    (* hierconn *) wire [2*LINE_W-1:0] \dut.cmp.extents_q , \dut.cmp.source_q ;
    (* hierconn *) wire [2*INDEX_W-1:0] \dut.cmp.c_s_q , \dut.cmp.c_e_q ;
    (* hierconn *) wire \dut.cmp.first_valid_q , \dut.cmp.second_valid_q , \dut.cmp.second_entry_q ;
    (* hierconn *) wire [ADDR_W-1:0] \dut.cmp.first_addr_q , \dut.cmp.second_addr_q ;
    (* hierconn *) wire [63:0] \dut.cmp.first_data_q , \dut.cmp.second_data_q ;
    (* hierconn *) wire [1:0] \dut.cmp.first_size_q , \dut.cmp.second_size_q ;
    (* hierconn *) wire [2:0] \dut.cmp.part_q ;
`endif
    wire [2:0] state = dut.inv.state_q;
    wire waits = dut.ext.wait_q, value = dut.ext.in_valid_q, here = dut.ext.here, dirty = dut.ext.dirty_q;
    wire flush = dut.ext.flush_i, drain = dut.drain_q, empty = dut.empty;
    wire [4*ADDR_W+4*LINE_W+4*INDEX_W+7:0] table_ = {dut.cmp.valid_q, dut.cmp.type_q, dut.cmp.base_q, dut.cmp.limit_q,
        dut.cmp.size_q, dut.cmp.extents_q, dut.cmp.source_q, dut.cmp.c_s_q, dut.cmp.c_e_q};
    wire [2*ADDR_W+137:0] stores = {dut.cmp.first_valid_q, dut.cmp.second_valid_q, dut.cmp.second_entry_q, dut.cmp.first_addr_q,
        dut.cmp.second_addr_q, dut.cmp.first_data_q, dut.cmp.second_data_q, dut.cmp.first_size_q, dut.cmp.second_size_q,
        dut.cmp.part_q};

    // ---- memory: which reads are on their way, and for how long; how long the request has waited ----

    reg [1:0] reading_q;
    reg [7:0] stood_q, away0_q, away1_q;
    reg [7:0] value_age_q, ask_age_q, drain_age_q;    // what the bounds are about
    wire taken = req_valid && req_ready_i;
    wire back  = rsp_valid_i;
    always @(posedge clk_i)
        if (rst_i) begin
            reading_q <= 2'd0;
            stood_q <= 0; away0_q <= 0; away1_q <= 0; value_age_q <= 0; ask_age_q <= 0; drain_age_q <= 0;
        end else begin
            if (back) reading_q[rsp_tag_i] <= 1'b0;
            if (taken && !req_write) reading_q[req_tag] <= 1'b1;
            stood_q <= req_valid && !taken ? stood_q + 8'd1 : 8'd0;
            away0_q <= reading_q[0] && !(back && !rsp_tag_i) ? away0_q + 8'd1 : 8'd0;
            away1_q <= reading_q[1] && !(back && rsp_tag_i) ? away1_q + 8'd1 : 8'd0;
            value_age_q <= value && !here ? value_age_q + 8'd1 : 8'd0;
            ask_age_q   <= (state == REQUEST || state == WAIT) && !(back && rsp_tag_i) ? ask_age_q + 8'd1 : 8'd0;
            drain_age_q <= drain && empty && !cmd_ready ? drain_age_q + 8'd1 : 8'd0;
        end
    always @* begin
        if (!started_q) assume (rst_i);
        if (rsp_valid_i) assume (reading_q[rsp_tag_i]);
        if (req_valid && stood_q >= K - 1) assume (req_ready_i);
        if (reading_q[0] && away0_q >= K - 1) assume (rsp_valid_i && !rsp_tag_i);
        if (reading_q[1] && away1_q >= K - 1) assume (rsp_valid_i && rsp_tag_i);
    end
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(cmd_valid_i && !cmd_ready)) assume (cmd_valid_i);
        end

    // ---- at most so many more cycles ----

    wire [7:0] mine      = K - stood_q;                                        // extent insertion's, which waits
    wire [7:0] ext_asks  = dirty ? mine + K : mine;                            // until its read is taken
    wire [7:0] value_left = waits ? K - away0_q : ext_asks + K;
    wire [7:0] ext_first = dut.ext_req ? (dirty && value && !here ? K - stood_q + K : K - stood_q) : 0;
    wire [7:0] ask_left  = state == WAIT ? K - away1_q : ext_first + (dut.ext_req ? K : K - stood_q) + K;

    always @* if (started_q) begin
        // ---- claims ----
        if (dut.apply) command_when_empty: assert (drain && !dut.cmp.first_valid_q && !dut.el_valid && !dut.inv_busy &&
                                                   !dut.ins_valid && !value && !dirty);
        setup_is_a_command: assert (!dut.setup || dut.apply);
        if (flush) flush_when_empty: assert (!dut.ins_valid && !value);
        answer_is_expected: assert (reading_q == {state == WAIT, waits});
        if (req_valid && !req_write) one_of_a_tag: assert (!reading_q[req_tag]);
        if (!busy) idle: assert (!dut.el_valid && !dut.ins_valid && !dut.inv_busy && !value && !drain && reading_q == 0 && !req_valid);
        value_in_time: assert (value_age_q <= 4 * K);
        answer_in_time: assert (ask_age_q < 5 * K);
        command_in_time: assert (drain_age_q <= 2 * K);

        // ---- what makes them inductive ----
        states: assert (state <= 4 && (state == IDLE || (dut.inv_busy && !dut.inv.hist_hit)));
        waits_for_a_value: assert (!waits || (value && !here && !dirty));
        ages: assert (stood_q < K && away0_q < K && away1_q < K && (reading_q[0] || away0_q == 0) && (reading_q[1] || away1_q == 0) &&
                      (req_valid || stood_q == 0));
        dirty_is_valid: assert (!dirty || dut.ext.valid_q);
        if (value && !here) value_by: assert (value_age_q + value_left <= 4 * K);
        if (!value || here) value_new: assert (value_age_q == 0 || value);
        if (state == REQUEST || state == WAIT) ask_by: assert (ask_age_q + ask_left <= 5 * K);
        if (state != REQUEST && state != WAIT) ask_new: assert (ask_age_q == 0);
        if (drain && empty && dirty) drain_by: assert (drain_age_q + K - stood_q <= K);
        if (!(drain && empty && dirty)) drain_new: assert (drain_age_q <= K);
    end
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(flush && dirty && !req_ready_i)) flush_holds: assert (flush);
            if ($past(!dut.apply)) table_stays: assert ($stable(table_));
            if ($past(!busy && !st_valid_i && !cmd_valid_i)) quiet: assert ($stable(stores) && $stable(table_) && !drain && !busy);
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            answered_late: cover (ask_age_q > K && back && rsp_tag_i);
            value_waits: cover (value_age_q > K && waits && back && !rsp_tag_i);
            flushed_late: cover (drain_age_q >= K && dut.apply);
        end
endmodule
`default_nettype wire
