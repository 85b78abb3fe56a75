// tafe_inverse: which CTA reads an element: a history buffer of one CTA's range, and a search when an element is
// outside of it.
//
// The search tries a CTA (TID_DEP: in one iteration) a cycle. It begins where it was last for this array, or, when
// another array was searched since, at CTA 0 after reading what it needs: a TID_DEP array's APD entry, or the lines of
// the nested array's extents as it passes them. What matches becomes the history, and the element goes on as any other.
// After a round over all CTAs the element is dropped (ev_unmatched_o); the search is then where it began, and the
// history is what it was.
//
//   TID_DEP      start(t) = c + m3 x + m4 y + m5 z - what negative m0..m2 subtract; the range of iteration i is start +
//                i ofs to start + i ofs + sum of |m_d| (block_d - 1). Three cycles after the entry comes sum that up, a
//                multiplication each; from then on starts follow by additions. A CTA is tried in its N iterations,
//                beginning with the one that matched last.
//   INDIR_RANGE  the search is at the extent of CTA tb; own is the last CTA before it that has an extent. A valid
//                extent ends own's range, and becomes own. Behind the last extent is the array's end.
//
// Latency     an element in the history goes on in the cycle in which it is here.
// Throughput  an element a cycle from the history.
// Handshake   ready/valid; el_ready_o depends on ins_ready_i; valids and the request on registers alone. The response
//             to a request comes in a later cycle.
// Source      tafe, sections 4.2 and 4.3, Figure 9, steps 3 to 6
`default_nettype none
module tafe_inverse #(
    parameter ENTRIES = 2,               // all as in tafe_top
    parameter ADDR_W  = 48,
    parameter INDEX_W = 32,
    parameter TB_W    = 31,
    parameter BLOCK_W = 10
) (
    input  wire                       clk_i,
    input  wire                       rst_i,          // synchronous, active high
    input  wire                       forget_i,       // history and what is held; no element is here then
    input  wire                       setup_i,        // the launch:
    input  wire [TB_W-1:0]            cmd_ctas_i,
    input  wire [TB_W-1:0]            cmd_grid_x_i,
    input  wire [TB_W-1:0]            cmd_grid_y_i,
    input  wire [3*BLOCK_W-1:0]       cmd_block_i,
    input  wire                       el_valid_i,
    output wire                       el_ready_o,
    input  wire [$clog2(ENTRIES)-1:0] el_entry_i,
    input  wire [INDEX_W-1:0]         el_index_i,
    input  wire [INDEX_W-1:0]         el_value_i,
    input  wire                       el_saturated_i,
    output wire [$clog2(ENTRIES)-1:0] entry_o,        // of the element that is here; its array:
    input  wire                       type_i,
    input  wire [ADDR_W-7:0]          source_i,
    input  wire [INDEX_W-1:0]         c_s_i,
    input  wire [INDEX_W-1:0]         c_e_i,
    input  wire [INDEX_W-1:0]         count_i,
    output wire                       req_valid_o,
    input  wire                       req_ready_i,
    output wire [ADDR_W-7:0]          req_line_o,
    input  wire                       rsp_valid_i,
    input  wire [511:0]               rsp_data_i,
    output wire                       ins_valid_o,    // the element and its CTA, 7 * group + slot
    input  wire                       ins_ready_i,
    output wire [TB_W-3:0]            ins_group_o,
    output wire [2:0]                 ins_slot_o,
    output wire [INDEX_W-1:0]         ins_value_o,
    output wire                       ins_saturated_o,
    output wire                       ev_miss_o,
    output wire                       ev_unmatched_o,
    output wire                       busy_o
);
    localparam ENTRY_W = $clog2(ENTRIES);
    localparam GROUP_W = TB_W - 2;
    localparam LINE_W  = ADDR_W - 6;
    localparam [2:0] IDLE = 3'd0, REQUEST = 3'd1, WAIT = 3'd2, SPAN = 3'd3, SCAN = 3'd4;

    reg [TB_W-1:0]      ctas_q;                       // the launch
    reg [TB_W-1:0]      grid_x_q;
    reg [TB_W-1:0]      grid_y_q;
    reg [3*BLOCK_W-1:0] block_q;
    reg                 el_valid_q;                   // the element
    reg [ENTRY_W-1:0]   el_entry_q;
    reg [INDEX_W-1:0]   el_index_q;
    reg [INDEX_W-1:0]   el_value_q;
    reg                 el_saturated_q;
    reg                 hist_valid_q;                 // the history buffer
    reg [ENTRY_W-1:0]   hist_entry_q;
    reg [INDEX_W-1:0]   hist_lo_q;
    reg [INDEX_W-1:0]   hist_span_q;
    reg [GROUP_W-1:0]   hist_group_q;
    reg [2:0]           hist_slot_q;
    reg [2:0]           state_q;                      // the search
    reg                 held_q;
    reg [ENTRY_W-1:0]   entry_q;
    reg [TB_W-1:0]      round_q;
    reg [TB_W-1:0]      tb_q;
    reg [GROUP_W-1:0]   group_q;
    reg [2:0]           slot_q;
    reg [9*INDEX_W-1:0] word_q;
    reg [INDEX_W-1:0]   start_q;
    reg [INDEX_W-1:0]   row_q;                        // TID_DEP
    reg [INDEX_W-1:0]   plane_q;
    reg [INDEX_W-1:0]   span_q;
    reg [1:0]           dim_q;
    reg [TB_W-1:0]      x_q;
    reg [TB_W-1:0]      y_q;
    reg [INDEX_W-1:0]   iter_q;
    reg [INDEX_W-1:0]   off_q;
    reg [INDEX_W-1:0]   tries_q;
    reg                 line_q;                       // INDIR_RANGE
    reg [6:0]           seen_q;
    reg                 own_valid_q;
    reg [GROUP_W-1:0]   own_group_q;
    reg [2:0]           own_slot_q;

    // ---- the history ----

    wire [INDEX_W-1:0] hist_offset = el_index_q - hist_lo_q;
    wire hist_hit = el_valid_q && hist_valid_q && hist_entry_q == el_entry_q && hist_offset <= hist_span_q;
    wire miss     = el_valid_q && !hist_hit && state_q == IDLE;

    // ---- one step of the search ----

    wire [7:0]         seen      = {1'b0, seen_q};
    wire               at_end    = tb_q == ctas_q;
    wire               need_line = type_i && !at_end && !line_q;
    wire               test      = state_q == SCAN && !need_line;
    wire [INDEX_W-1:0] minimum   = word_q[slot_q*INDEX_W +: INDEX_W];
    wire [INDEX_W-1:0] last_iter = word_q[8*INDEX_W +: INDEX_W];           // N - 1
    wire [INDEX_W-1:0] lo        = start_q + (type_i ? c_s_i : off_q);
    wire [INDEX_W-1:0] hi        = at_end ? count_i : minimum + c_e_i;
    wire [INDEX_W-1:0] span      = type_i ? hi - lo - 1'b1 : span_q;
    wire               bounded   = !type_i || (own_valid_q && (at_end || seen[slot_q]) && lo < hi);
    wire [INDEX_W-1:0] distance  = el_index_q - lo;
    wire               found     = test && bounded && distance <= span;
    wire               cta_done  = type_i || tries_q == last_iter;
    wire               round_up  = type_i ? round_q == ctas_q : round_q + 1'b1 == ctas_q;
    wire               unmatched = test && !found && cta_done && round_up;

    // ---- the next CTA ----

    wire               last_tb   = tb_q + 1'b1 == ctas_q;
    wire               last_x    = x_q + 1'b1 == grid_x_q;
    wire               last_y    = y_q + 1'b1 == grid_y_q;
    wire [INDEX_W-1:0] next_x    = start_q + word_q[3*INDEX_W +: INDEX_W];
    wire [INDEX_W-1:0] next_y    = row_q + word_q[4*INDEX_W +: INDEX_W];
    wire [INDEX_W-1:0] next_z    = plane_q + word_q[5*INDEX_W +: INDEX_W];
    wire [INDEX_W-1:0] first     = word_q[6*INDEX_W +: INDEX_W];
    wire               wrap      = type_i ? at_end : last_tb;
    wire               stay      = type_i && last_tb;                       // the last extent's line serves the array's
                                                                            // end

    // ---- what a dimension of the block adds to the range ----

    wire [INDEX_W-1:0] m         = word_q[dim_q*INDEX_W +: INDEX_W];
    wire               negative  = m[INDEX_W-1];
    wire [BLOCK_W-1:0] threads   = block_q[dim_q*BLOCK_W +: BLOCK_W];
    wire [INDEX_W-1:0] reach     = (negative ? -m : m) * {{INDEX_W-BLOCK_W{1'b0}}, threads};
    wire [INDEX_W-1:0] lowest    = negative ? first - reach : first;

    // ---- a line from memory: an APD entry, or extents ----

    wire [INDEX_W-1:0]   n       = rsp_data_i[56*8 +: INDEX_W];
    wire [9*INDEX_W-1:0] apd     = {n == {INDEX_W{1'b0}} ? {INDEX_W{1'b0}} : n - 1'b1, rsp_data_i[60*8 +: INDEX_W],
                                    rsp_data_i[4*8 +: INDEX_W], rsp_data_i[52*8 +: INDEX_W], rsp_data_i[48*8 +: INDEX_W],
                                    rsp_data_i[44*8 +: INDEX_W], rsp_data_i[40*8 +: INDEX_W], rsp_data_i[36*8 +: INDEX_W],
                                    rsp_data_i[32*8 +: INDEX_W]};
    wire [7*INDEX_W-1:0] minima;
    wire [6:0]           valids;
    genvar               g;
    generate
        for (g = 0; g < 7; g = g + 1) begin : g_extent
            assign valids[g]                    = rsp_data_i[72*g];
            assign minima[g*INDEX_W +: INDEX_W] = rsp_data_i[72*g+8 +: INDEX_W];
        end
    endgenerate
    wire unused = &{1'b0, rsp_data_i};

    // ---- ports ----

    wire take = el_valid_i && el_ready_o;

    assign el_ready_o      = !el_valid_q || (hist_hit && ins_ready_i) || unmatched;
    assign entry_o         = el_entry_q;
    assign req_valid_o     = state_q == REQUEST;
    assign req_line_o      = source_i + (type_i ? {{LINE_W-GROUP_W{1'b0}}, group_q} : {LINE_W{1'b0}});
    assign ins_valid_o     = hist_hit;
    assign ins_group_o     = hist_group_q;
    assign ins_slot_o      = hist_slot_q;
    assign ins_value_o     = el_value_q;
    assign ins_saturated_o = el_saturated_q;
    assign ev_miss_o       = miss;
    assign ev_unmatched_o  = unmatched;
    assign busy_o          = el_valid_q;

    // ---- launch, element, history ----

    always @(posedge clk_i)
        if (rst_i) begin
            ctas_q         <= {{TB_W-1{1'b0}}, 1'b1};
            grid_x_q       <= {{TB_W-1{1'b0}}, 1'b1};
            grid_y_q       <= {{TB_W-1{1'b0}}, 1'b1};
            block_q        <= {3*BLOCK_W{1'b0}};
            el_valid_q     <= 1'b0;
            el_entry_q     <= {ENTRY_W{1'b0}};
            el_index_q     <= {INDEX_W{1'b0}};
            el_value_q     <= {INDEX_W{1'b0}};
            el_saturated_q <= 1'b0;
            hist_valid_q   <= 1'b0;
            hist_entry_q   <= {ENTRY_W{1'b0}};
            hist_lo_q      <= {INDEX_W{1'b0}};
            hist_span_q    <= {INDEX_W{1'b0}};
            hist_group_q   <= {GROUP_W{1'b0}};
            hist_slot_q    <= 3'd0;
        end else begin
            if (setup_i) begin
                ctas_q   <= cmd_ctas_i;
                grid_x_q <= cmd_grid_x_i;
                grid_y_q <= cmd_grid_y_i;
                block_q  <= cmd_block_i;
            end
            el_valid_q <= take || !el_ready_o;
            if (take) begin
                el_entry_q     <= el_entry_i;
                el_index_q     <= el_index_i;
                el_value_q     <= el_value_i;
                el_saturated_q <= el_saturated_i;
            end
            if (forget_i)
                hist_valid_q <= 1'b0;
            if (found) begin
                hist_valid_q <= 1'b1;
                hist_entry_q <= el_entry_q;
                hist_lo_q    <= lo;
                hist_span_q  <= span;
                hist_group_q <= type_i ? own_group_q : group_q;
                hist_slot_q  <= type_i ? own_slot_q : slot_q;
            end
        end

    // ---- the search ----

    always @(posedge clk_i)
        if (rst_i) begin
            state_q     <= IDLE;
            held_q      <= 1'b0;
            entry_q     <= {ENTRY_W{1'b0}};
            round_q     <= {TB_W{1'b0}};
            tb_q        <= {TB_W{1'b0}};
            group_q     <= {GROUP_W{1'b0}};
            slot_q      <= 3'd0;
            word_q      <= {9*INDEX_W{1'b0}};
            start_q     <= {INDEX_W{1'b0}};
            row_q       <= {INDEX_W{1'b0}};
            plane_q     <= {INDEX_W{1'b0}};
            span_q      <= {INDEX_W{1'b0}};
            dim_q       <= 2'd0;
            x_q         <= {TB_W{1'b0}};
            y_q         <= {TB_W{1'b0}};
            iter_q      <= {INDEX_W{1'b0}};
            off_q       <= {INDEX_W{1'b0}};
            tries_q     <= {INDEX_W{1'b0}};
            line_q      <= 1'b0;
            seen_q      <= 7'd0;
            own_valid_q <= 1'b0;
            own_group_q <= {GROUP_W{1'b0}};
            own_slot_q  <= 3'd0;
        end else begin
            if (forget_i)
                held_q <= 1'b0;
            if (miss) begin
                round_q <= {TB_W{1'b0}};
                tries_q <= {INDEX_W{1'b0}};
                if (held_q && entry_q == el_entry_q)
                    state_q <= SCAN;
                else begin
                    state_q     <= REQUEST;
                    held_q      <= 1'b0;
                    entry_q     <= el_entry_q;
                    tb_q        <= {TB_W{1'b0}};
                    group_q     <= {GROUP_W{1'b0}};
                    slot_q      <= 3'd0;
                    x_q         <= {TB_W{1'b0}};
                    y_q         <= {TB_W{1'b0}};
                    iter_q      <= {INDEX_W{1'b0}};
                    off_q       <= {INDEX_W{1'b0}};
                    line_q      <= 1'b0;
                    own_valid_q <= 1'b0;
                end
            end
            if (state_q == REQUEST && req_ready_i)
                state_q <= WAIT;
            if (state_q == WAIT && rsp_valid_i) begin
                state_q <= type_i ? SCAN : SPAN;
                held_q  <= type_i;
                line_q  <= type_i;
                span_q  <= {INDEX_W{1'b0}};
                dim_q   <= 2'd0;
                if (type_i) begin
                    word_q[0 +: 7*INDEX_W] <= minima;
                    seen_q                 <= valids;
                end else
                    word_q <= apd;
            end
            if (state_q == SPAN) begin
                dim_q                         <= dim_q + 2'd1;
                span_q                        <= span_q + reach;
                word_q[6*INDEX_W +: INDEX_W] <= lowest;
                start_q                       <= lowest;
                row_q                         <= lowest;
                plane_q                       <= lowest;
                if (dim_q == 2'd2) begin
                    state_q <= SCAN;
                    held_q  <= 1'b1;
                end
            end
            if (state_q == SCAN && need_line)
                state_q <= REQUEST;
            if (found || unmatched)
                state_q <= IDLE;
            if (test && !found) begin
                if (!type_i) begin
                    iter_q  <= iter_q == last_iter ? {INDEX_W{1'b0}} : iter_q + 1'b1;
                    off_q   <= iter_q == last_iter ? {INDEX_W{1'b0}} : off_q + word_q[7*INDEX_W +: INDEX_W];
                    tries_q <= cta_done ? {INDEX_W{1'b0}} : tries_q + 1'b1;
                end
                if (cta_done) begin
                    round_q <= round_q + 1'b1;
                    tb_q    <= wrap ? {TB_W{1'b0}} : tb_q + 1'b1;
                    if (wrap) begin
                        group_q <= {GROUP_W{1'b0}};
                        slot_q  <= 3'd0;
                        line_q  <= line_q && group_q == {GROUP_W{1'b0}};
                    end else if (!stay) begin
                        group_q <= slot_q == 3'd6 ? group_q + 1'b1 : group_q;
                        slot_q  <= slot_q == 3'd6 ? 3'd0 : slot_q + 3'd1;
                        line_q  <= line_q && slot_q != 3'd6;
                    end
                    if (type_i) begin
                        own_valid_q <= !at_end && (own_valid_q || seen[slot_q]);
                        if (!at_end && seen[slot_q]) begin
                            own_group_q <= group_q;
                            own_slot_q  <= slot_q;
                            start_q     <= minimum;
                        end
                    end else begin
                        x_q     <= last_tb || last_x ? {TB_W{1'b0}} : x_q + 1'b1;
                        y_q     <= last_tb || (last_x && last_y) ? {TB_W{1'b0}} : last_x ? y_q + 1'b1 : y_q;
                        start_q <= last_tb ? first : !last_x ? next_x : !last_y ? next_y : next_z;
                        row_q   <= last_tb ? first : !last_x ? row_q : !last_y ? next_y : next_z;
                        plane_q <= last_tb ? first : last_x && last_y ? next_z : plane_q;
                    end
                end
            end
        end
endmodule
`default_nettype wire
