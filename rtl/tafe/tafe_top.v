// tafe_top: tracks the values that the host stores into primary arrays, an extent (minimum, maximum) a CTA.
//
//   store -> tafe_comparator (2 stages) -> tafe_inverse (history buffer, search) -> tafe_extent (line buffer) -> memory
//
// Latency     four edges from store to extent buffer when the history has the CTA and the buffer the line.
// Throughput  a store a cycle then; an 8-byte store into 4-byte elements takes two. A search tries a CTA a cycle and
//             holds up the pipe.
// Handshake   ready/valid on stores, commands and memory requests. All outputs depend on registers alone. A command is
//             taken when the stores before it have ended and the buffer is in memory; from the cycle after it comes no
//             store is taken until then. A read has one response, in a later cycle, with its tag (0 extents, 1 inverse
//             relation); a write has none; responses are always taken; requests to a line take effect in their order.
//             With busy_o low and no valid input no register changes.
// Events      ev_*_o are high for a cycle each, to be counted: see csim/hw/tafe/tafe.h.
// Source      tafe, section 4.3, Figure 9, Table 5
// Golden twin csim/hw/tafe/tafe.h, which says what is computed and what is assumed
`default_nettype none
module tafe_top #(
    parameter ENTRIES = 2,               // of the comparator table: 2, 4 or 8
    parameter ADDR_W  = 48,              // bits of an address, 16 to 64, more than INDEX_W + 3 and TB_W + 4
    parameter INDEX_W = 32,              // bits of an index and of a value, 4 to 32
    parameter TB_W    = 31,              // bits of the number of CTAs, 4 to 31
    parameter BLOCK_W = 10               // bits of a block dimension less one, 1 to 16, less than INDEX_W
) (
    input  wire                       clk_i,
    input  wire                       rst_i,          // synchronous, active high
    input  wire                       st_valid_i,     // stores
    output wire                       st_ready_o,
    input  wire [ADDR_W-1:0]          st_addr_i,
    input  wire [63:0]                st_data_i,
    input  wire [1:0]                 st_size_i,      // 1 << size bytes
    input  wire                       cmd_valid_i,    // commands
    output wire                       cmd_ready_o,
    input  wire [1:0]                 cmd_op_i,       // 0 setup, 1 register, 2 ready, 3 reset
    input  wire [$clog2(ENTRIES)-1:0] cmd_entry_i,
    input  wire [ADDR_W-1:0]          cmd_base_i,
    input  wire [ADDR_W-1:0]          cmd_limit_i,
    input  wire [1:0]                 cmd_size_i,
    input  wire                       cmd_type_i,     // 0 TID_DEP, 1 INDIR_RANGE
    input  wire [ADDR_W-7:0]          cmd_extents_i,
    input  wire [ADDR_W-7:0]          cmd_source_i,
    input  wire [INDEX_W-1:0]         cmd_c_s_i,
    input  wire [INDEX_W-1:0]         cmd_c_e_i,
    input  wire [TB_W-1:0]            cmd_ctas_i,
    input  wire [TB_W-1:0]            cmd_grid_x_i,
    input  wire [TB_W-1:0]            cmd_grid_y_i,
    input  wire [3*BLOCK_W-1:0]       cmd_block_i,
    output wire                       req_valid_o,    // memory
    input  wire                       req_ready_i,
    output wire                       req_write_o,
    output wire                       req_tag_o,
    output wire [ADDR_W-7:0]          req_line_o,
    output wire [511:0]               req_data_o,
    input  wire                       rsp_valid_i,
    input  wire                       rsp_tag_i,
    input  wire [511:0]               rsp_data_i,
    output wire                       ev_tracked_o,
    output wire                       ev_miss_o,
    output wire                       ev_unmatched_o,
    output wire                       ev_saturated_o,
    output wire                       busy_o
);
    localparam ENTRY_W = $clog2(ENTRIES);
    localparam LINE_W  = ADDR_W - 6;
    localparam [1:0] SETUP = 2'd0, REGISTER = 2'd1;

    generate
        if (ENTRIES != 2 && ENTRIES != 4 && ENTRIES != 8) begin : g_bad_entries
            ILLEGAL_ENTRIES_must_be_2_4_or_8 u ();
        end
        if (INDEX_W < 4 || INDEX_W > 32) begin : g_bad_index_w
            ILLEGAL_INDEX_W_must_be_4_to_32 u ();
        end
        if (TB_W < 4 || TB_W > 31) begin : g_bad_tb_w
            ILLEGAL_TB_W_must_be_4_to_31 u ();
        end
        if (ADDR_W < 16 || ADDR_W > 64 || ADDR_W < INDEX_W + 4 || ADDR_W < TB_W + 5) begin : g_bad_addr_w
            ILLEGAL_ADDR_W_must_be_16_to_64_and_above_INDEX_W_plus_3_and_TB_W_plus_4 u ();
        end
        if (BLOCK_W < 1 || BLOCK_W > 16 || BLOCK_W >= INDEX_W) begin : g_bad_block_w
            ILLEGAL_BLOCK_W_must_be_1_to_16_and_below_INDEX_W u ();
        end
    endgenerate

    reg drain_q;                                      // a command waits

    // ---- commands ----

    wire cmp_busy, inv_busy, ext_busy, dirty;
    wire empty    = !cmp_busy && !inv_busy && !ext_busy;
    wire apply    = cmd_valid_i && cmd_ready_o;
    wire setup    = apply && cmd_op_i == SETUP;
    wire register = apply && cmd_op_i == REGISTER;
    wire free     = apply && cmd_op_i[1];
    assign cmd_ready_o = drain_q && empty && !dirty;
    assign busy_o      = drain_q || !empty;

    // ---- memory: extents go first ----
    //
    // A request that waits is never pushed aside: while the inverse relation asks, no value comes that would make
    // extent insertion ask anew, and the buffer is flushed only when neither works: request_holds, which is proved of
    // the stages joined.

    wire              ext_req, inv_req;
    wire [LINE_W-1:0] ext_line, inv_line;
    wire              ext_write;
    wire              give_inv = inv_req && !ext_req;
    assign req_valid_o = ext_req || inv_req;
    assign req_write_o = !give_inv && ext_write;
    assign req_tag_o   = give_inv;
    assign req_line_o  = give_inv ? inv_line : ext_line;

    always @(posedge clk_i)
        if (rst_i) drain_q <= 1'b0;
        else       drain_q <= cmd_valid_i && !cmd_ready_o;

    // ---- the stages ----

    wire               el_valid, el_ready, el_saturated;
    wire [ENTRY_W-1:0] el_entry, inv_entry, ext_entry;
    wire [INDEX_W-1:0] el_index, el_value, ins_value;
    wire               ins_valid, ins_ready, ins_saturated;
    wire [TB_W-3:0]    ins_group;
    wire [2:0]         ins_slot;
    wire               inv_type;
    wire [LINE_W-1:0]  inv_source, ext_extents;
    wire [INDEX_W-1:0] inv_c_s, inv_c_e, inv_count;

    assign ev_tracked_o   = ins_valid && ins_ready;
    assign ev_saturated_o = ins_valid && ins_ready && ins_saturated;

    tafe_comparator #(.ENTRIES(ENTRIES), .ADDR_W(ADDR_W), .INDEX_W(INDEX_W)) cmp (
        .clk_i(clk_i), .rst_i(rst_i), .drain_i(drain_q),
        .st_valid_i(st_valid_i), .st_ready_o(st_ready_o), .st_addr_i(st_addr_i), .st_data_i(st_data_i), .st_size_i(st_size_i),
        .register_i(register), .free_i(free), .cmd_entry_i(cmd_entry_i), .cmd_base_i(cmd_base_i), .cmd_limit_i(cmd_limit_i),
        .cmd_size_i(cmd_size_i), .cmd_type_i(cmd_type_i), .cmd_extents_i(cmd_extents_i), .cmd_source_i(cmd_source_i),
        .cmd_c_s_i(cmd_c_s_i), .cmd_c_e_i(cmd_c_e_i),
        .el_valid_o(el_valid), .el_ready_i(el_ready), .el_entry_o(el_entry), .el_index_o(el_index), .el_value_o(el_value),
        .el_saturated_o(el_saturated),
        .inv_entry_i(inv_entry), .inv_type_o(inv_type), .inv_source_o(inv_source), .inv_c_s_o(inv_c_s), .inv_c_e_o(inv_c_e),
        .inv_count_o(inv_count), .ext_entry_i(ext_entry), .ext_extents_o(ext_extents), .busy_o(cmp_busy)
    );
    tafe_inverse #(.ENTRIES(ENTRIES), .ADDR_W(ADDR_W), .INDEX_W(INDEX_W), .TB_W(TB_W), .BLOCK_W(BLOCK_W)) inv (
        .clk_i(clk_i), .rst_i(rst_i), .forget_i(apply), .setup_i(setup), .cmd_ctas_i(cmd_ctas_i), .cmd_grid_x_i(cmd_grid_x_i),
        .cmd_grid_y_i(cmd_grid_y_i), .cmd_block_i(cmd_block_i),
        .el_valid_i(el_valid), .el_ready_o(el_ready), .el_entry_i(el_entry), .el_index_i(el_index), .el_value_i(el_value),
        .el_saturated_i(el_saturated), .entry_o(inv_entry), .type_i(inv_type), .source_i(inv_source), .c_s_i(inv_c_s), .c_e_i(inv_c_e),
        .count_i(inv_count),
        .req_valid_o(inv_req), .req_ready_i(req_ready_i && give_inv), .req_line_o(inv_line),
        .rsp_valid_i(rsp_valid_i && rsp_tag_i), .rsp_data_i(rsp_data_i),
        .ins_valid_o(ins_valid), .ins_ready_i(ins_ready), .ins_group_o(ins_group), .ins_slot_o(ins_slot), .ins_value_o(ins_value),
        .ins_saturated_o(ins_saturated), .ev_miss_o(ev_miss_o), .ev_unmatched_o(ev_unmatched_o), .busy_o(inv_busy)
    );
    tafe_extent #(.ENTRIES(ENTRIES), .ADDR_W(ADDR_W), .INDEX_W(INDEX_W), .TB_W(TB_W)) ext (
        .clk_i(clk_i), .rst_i(rst_i), .flush_i(drain_q && empty), .forget_i(apply),
        .ins_valid_i(ins_valid), .ins_ready_o(ins_ready), .ins_entry_i(inv_entry), .ins_group_i(ins_group), .ins_slot_i(ins_slot),
        .ins_value_i(ins_value), .ins_saturated_i(ins_saturated), .entry_o(ext_entry), .extents_i(ext_extents),
        .req_valid_o(ext_req), .req_ready_i(req_ready_i && !give_inv), .req_write_o(ext_write), .req_line_o(ext_line),
        .req_data_o(req_data_o), .rsp_valid_i(rsp_valid_i && !rsp_tag_i), .rsp_data_i(rsp_data_i), .dirty_o(dirty),
        .busy_o(ext_busy)
    );

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it. *_was: of the cycle before.
    // A command that waits is not withdrawn; if it is, a write for its sake may be withdrawn too.
    reg              req_waits_was = 1'b0;
    reg              req_write_was, req_tag_was;
    reg [LINE_W-1:0] req_line_was;
    reg [511:0]      req_data_was;
    always @(posedge clk_i) begin
        req_waits_was <= req_valid_o && !req_ready_i && (cmd_valid_i || !drain_q) && !rst_i;
        req_write_was <= req_write_o;
        req_tag_was   <= req_tag_o;
        req_line_was  <= req_line_o;
        req_data_was  <= req_data_o;
        if (req_waits_was) begin : request_holds
            assert (req_valid_o && req_write_o == req_write_was && req_tag_o == req_tag_was && req_line_o == req_line_was);
        end
        if (req_waits_was && req_write_was) begin : data_holds assert (req_data_o == req_data_was); end
        if (!rst_i) begin
            begin : inverse_relation_reads assert (!(req_valid_o && req_tag_o && req_write_o)); end
            begin : no_store_before_a_command assert (!(drain_q && st_ready_o)); end
            begin : command_when_empty assert (!(cmd_ready_o && (req_valid_o || ev_tracked_o))); end
            begin : request_is_busy assert (!req_valid_o || busy_o); end
        end
    end
`endif
endmodule
`default_nettype wire
