// What is claimed of tafe_inverse, for any launch, any array and any memory (make formal; the lines are in
// rtl/tafe/proofs.list). The array that is watched is any one of the comparator table; of the others nothing is known
// but that their type stays.
//
//   TYPE 0  TID_DEP: CTA t = (x, y, z) reads in iteration i the indices from first = c - low + m3 x + m4 y + m5 z + i
//           ofs on, SPAN more of them; SPAN and low as tafe_inverse.v's header has them. Here they are products and
//           sums of what memory holds.
//   TYPE 1  INDIR_RANGE: CTA t with an extent reads min(t) + c_s <= k < min(next CTA with an extent) + c_e, or the
//           array's end.
//
// Claims: an element goes on once, as it came, to a CTA that reads it, or is dropped, and then no CTA reads it; a
// dropped one leaves history and search as they were; it ends within CTAs * (6 + N + K) cycles, N >= 1 iterations, if a
// request is answered in K (the paper's 8 + k: k = K - 1, N = 1); what is offered holds until it is taken; nothing
// moves without a cause.
//
// The registers of the block are seen under their names: Verilator looks them up, Yosys joins the wires below when it
// flattens (hierconn).
`default_nettype none
module tafe_inverse_claims #(
    parameter TYPE    = 0,
    parameter K       = 6,               // cycles from a request to its response, both counted
    parameter ADDR_W  = 16,
    parameter INDEX_W = 4,
    parameter TB_W    = 4,
    parameter BLOCK_W = 2
) (
    input wire                 clk_i,
    input wire                 rst_i,
    input wire                 forget_i,
    input wire                 setup_i,
    input wire [TB_W-1:0]      cmd_grid_x_i,
    input wire [TB_W-1:0]      cmd_grid_y_i,
    input wire [TB_W-1:0]      cmd_grid_z_i,
    input wire [3*BLOCK_W-1:0] cmd_block_i,
    input wire                 el_valid_i,
    input wire                 el_entry_i,
    input wire [INDEX_W-1:0]   el_index_i,
    input wire [INDEX_W-1:0]   el_value_i,
    input wire                 el_saturated_i,
    input wire                 req_ready_i,
    input wire                 rsp_valid_i,
    input wire [511:0]         rsp_data_i,
    input wire                 ins_ready_i,
    input wire [9*INDEX_W-1:0] any_apd_i,             // what the host gives the array before its next use
    input wire [14:0]          any_seen_i,
    input wire [15*INDEX_W-1:0] any_min_i,
    input wire [3*INDEX_W-1:0] any_constants_i,
    input wire [2*(ADDR_W-6)-1:0] any_source_i,
    input wire                 any_type_i
);
    localparam LINE_W  = ADDR_W - 6;
    localparam GROUP_W = TB_W - 2;
    localparam W       = INDEX_W;
    localparam [2:0] IDLE = 3'd0, REQUEST = 3'd1, WAIT = 3'd2, SPAN = 3'd3, SCAN = 3'd4;

    // verilator lint_off UNDRIVEN
    (* anyconst *) wire        watched;               // the solver chooses: the entry,
    (* anyconst *) wire [TB_W-1:0] wx, wy, wz;        // a CTA,
    (* anyconst *) wire [W-1:0]    wi;                // an iteration of it
    // verilator lint_on UNDRIVEN
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;

    // ---- the array and the launch ----

    reg [9*W-1:0]  apd_q;                             // m, c, ofs, N
    reg [14:0]     seen_q;
    reg [15*W-1:0] min_q;
    reg [3*W-1:0]  constants_q;
    reg [2*LINE_W-1:0] source_q;
    reg            other_type_q;
    reg [TB_W-1:0] gx_q, gy_q, gz_q;
    reg [3*BLOCK_W-1:0] block_q;
    always @(posedge clk_i) begin
        if (rst_i || forget_i) begin
            apd_q        <= any_apd_i;
            seen_q       <= any_seen_i;
            min_q        <= any_min_i;
            constants_q  <= any_constants_i;
            source_q     <= any_source_i;
            other_type_q <= any_type_i;
        end
        if (rst_i) begin
            gx_q <= 1; gy_q <= 1; gz_q <= 1; block_q <= 0;
        end else if (setup_i) begin
            gx_q <= cmd_grid_x_i; gy_q <= cmd_grid_y_i; gz_q <= cmd_grid_z_i; block_q <= cmd_block_i;
        end
    end
    wire [3*TB_W-1:0] cmd_product = cmd_grid_x_i * cmd_grid_y_i * cmd_grid_z_i;
    wire [TB_W-1:0]   ctas = gx_q * gy_q * gz_q;
    wire [W-1:0] c_s = constants_q[0 +: W], c_e = constants_q[W +: W], count = constants_q[2*W +: W];

    // ---- the block ----

`ifdef YOSYS
    (* hierconn *) wire [TB_W-1:0] \dut.ctas_q , \dut.grid_x_q , \dut.grid_y_q , \dut.round_q , \dut.tb_q , \dut.x_q , \dut.y_q ;
    (* hierconn *) wire [3*BLOCK_W-1:0] \dut.block_q ;
    (* hierconn *) wire \dut.el_valid_q , \dut.el_entry_q , \dut.el_saturated_q , \dut.hist_valid_q , \dut.hist_entry_q ;
    (* hierconn *) wire \dut.held_q , \dut.entry_q , \dut.line_q , \dut.own_valid_q , \dut.test , \dut.found ;
    (* hierconn *) wire \dut.cta_done , \dut.hist_hit , \dut.last_tb , \dut.last_x , \dut.last_y ;
    (* hierconn *) wire [W-1:0] \dut.el_index_q , \dut.el_value_q , \dut.hist_lo_q , \dut.hist_span_q , \dut.start_q , \dut.row_q ;
    (* hierconn *) wire [W-1:0] \dut.plane_q , \dut.span_q , \dut.iter_q , \dut.off_q , \dut.tries_q ;
    (* hierconn *) wire [GROUP_W-1:0] \dut.hist_group_q , \dut.group_q , \dut.own_group_q ;
    (* hierconn *) wire [2:0] \dut.hist_slot_q , \dut.state_q , \dut.slot_q , \dut.own_slot_q ;
    (* hierconn *) wire [9*W-1:0] \dut.word_q ;
    (* hierconn *) wire [1:0] \dut.dim_q ;
    (* hierconn *) wire [6:0] \dut.seen_q ;
`endif
    wire [2:0]      state = dut.state_q;
    wire [TB_W-1:0] tb = dut.tb_q, round = dut.round_q, x = dut.x_q, y = dut.y_q;
    wire [W-1:0]    tries = dut.tries_q, iter = dut.iter_q, index = dut.el_index_q;

    wire              el_ready, entry, req_valid, ins_valid, ins_saturated, miss, unmatched, busy;
    wire [LINE_W-1:0] req_line;
    wire [GROUP_W-1:0] ins_group;
    wire [2:0]        ins_slot;
    wire [W-1:0]      ins_value;
    wire              relation = entry == watched ? TYPE != 0 : other_type_q;
    tafe_inverse #(.ENTRIES(2), .ADDR_W(ADDR_W), .INDEX_W(INDEX_W), .TB_W(TB_W), .BLOCK_W(BLOCK_W)) dut (
        .clk_i(clk_i), .rst_i(rst_i), .forget_i(forget_i), .setup_i(setup_i), .cmd_ctas_i(cmd_product[TB_W-1:0]),
        .cmd_grid_x_i(cmd_grid_x_i), .cmd_grid_y_i(cmd_grid_y_i), .cmd_block_i(cmd_block_i),
        .el_valid_i(el_valid_i), .el_ready_o(el_ready), .el_entry_i(el_entry_i), .el_index_i(el_index_i), .el_value_i(el_value_i),
        .el_saturated_i(el_saturated_i), .entry_o(entry), .type_i(relation), .source_i(entry ? source_q[LINE_W +: LINE_W] : source_q[0 +: LINE_W]),
        .c_s_i(c_s), .c_e_i(c_e), .count_i(count),
        .req_valid_o(req_valid), .req_ready_i(req_ready_i), .req_line_o(req_line), .rsp_valid_i(rsp_valid_i),
        .rsp_data_i(rsp_data_i), .ins_valid_o(ins_valid), .ins_ready_i(ins_ready_i), .ins_group_o(ins_group), .ins_slot_o(ins_slot),
        .ins_value_o(ins_value), .ins_saturated_o(ins_saturated), .ev_miss_o(miss), .ev_unmatched_o(unmatched), .busy_o(busy)
    );
    wire mine = entry == watched;                     // the element that is here
    wire take = el_valid_i && el_ready;

    // ---- how the outside behaves ----

    reg [7:0] asked_q;                                // cycles that the request has waited or been on its way
    always @(posedge clk_i)
        asked_q <= rst_i || (state != REQUEST && state != WAIT) || rsp_valid_i ? 8'd0 : asked_q + 8'd1;
    integer j;
    wire [31:0] first_of_line = 7 * {{32-GROUP_W{1'b0}}, dut.group_q};
    always @* begin
        if (!started_q) assume (rst_i);
        if (setup_i) assume (forget_i && cmd_product < (1 << TB_W) && cmd_product != 0);
        if (forget_i) assume (!el_valid_i && !busy);
        if (rsp_valid_i) assume (state == WAIT);
        if (state == WAIT && asked_q >= K - 1) assume (rsp_valid_i);
        if (state == REQUEST && asked_q >= K - 2) assume (req_ready_i);
        if (rsp_valid_i && mine && TYPE == 0) begin
            for (j = 0; j < 6; j = j + 1) assume (rsp_data_i[(32+4*j)*8 +: W] == apd_q[j*W +: W]);
            assume (rsp_data_i[4*8 +: W] == apd_q[6*W +: W]);
            assume (rsp_data_i[60*8 +: W] == apd_q[7*W +: W]);
            assume (rsp_data_i[56*8 +: W] == apd_q[8*W +: W]);
        end
        if (rsp_valid_i && mine && TYPE == 1)
            for (j = 0; j < 7; j = j + 1)
                if (first_of_line + j < 15) begin
                    assume (rsp_data_i[72*j] == seen_q[first_of_line + j]);
                    if (rsp_data_i[72*j]) assume (rsp_data_i[72*j+8 +: W] == min_q[(first_of_line + j)*W +: W]);
                end
    end

    // ---- who reads ----

    wire [W-1:0] m0 = apd_q[0 +: W], m1 = apd_q[W +: W], m2 = apd_q[2*W +: W];
    wire [W-1:0] m3 = apd_q[3*W +: W], m4 = apd_q[4*W +: W], m5 = apd_q[5*W +: W];
    wire [W-1:0] ofs = apd_q[7*W +: W], n = apd_q[8*W +: W];
    wire [W-1:0] last_iter = n == 0 ? 0 : n - 1'b1;
    wire [BLOCK_W-1:0] b0 = block_q[0 +: BLOCK_W], b1 = block_q[BLOCK_W +: BLOCK_W], b2 = block_q[2*BLOCK_W +: BLOCK_W];
    wire [W-1:0] r0 = (m0[W-1] ? -m0 : m0) * b0, r1 = (m1[W-1] ? -m1 : m1) * b1, r2 = (m2[W-1] ? -m2 : m2) * b2;
    wire [W-1:0] low0 = apd_q[6*W +: W] - (m0[W-1] ? r0 : 0), low1 = low0 - (m1[W-1] ? r1 : 0);
    wire [W-1:0] lowest = low1 - (m2[W-1] ? r2 : 0);
    wire [W-1:0] span01 = r0 + r1, span = span01 + r2;
    wire [TB_W-1:0] w = wx + gx_q * (wy + gy_q * wz);
    wire [W-1:0] w_first = lowest + m3 * wx + m4 * wy + m5 * wz + wi * ofs;
    wire [W-1:0] w_offset = index - w_first;
    wire tid_legal = wx < gx_q && wy < gy_q && wz < gz_q && wi <= last_iter;
    wire tid_reads = w_offset <= span;

    // TYPE 1: CTA wx of the table alone
    reg [TB_W-1:0] closing;                           // the next CTA with an extent, or the number of CTAs
    always @* begin
        closing = ctas;
        for (j = 14; j >= 0; j = j - 1)
            if (j > wx && j < ctas && seen_q[j]) closing = j[TB_W-1:0];
    end
    wire [W-1:0] w_lo = min_q[wx*W +: W] + c_s;
    wire [W-1:0] w_hi = closing == ctas ? count : min_q[closing*W +: W] + c_e;
    wire range_legal = wx < ctas && seen_q[wx];
    wire range_reads = w_lo <= index && index < w_hi;

    wire legal = TYPE == 0 ? tid_legal : range_legal;
    wire reads = TYPE == 0 ? tid_reads : range_reads;

    wire [TB_W:0] own = 7 * dut.own_group_q + {{TB_W-2{1'b0}}, dut.own_slot_q};
    reg none_between;                                 // has an extent, of the CTAs after own and before the position of
                                                      // the search
    always @* begin
        none_between = 1'b1;
        for (j = 0; j < 15; j = j + 1)
            if (j < tb && (!dut.own_valid_q || j > own) && seen_q[j]) none_between = 1'b0;
    end
    reg line_agrees;                                  // the line that is here with the table
    always @* begin
        line_agrees = 1'b1;
        for (j = 0; j < 7; j = j + 1)
            if (first_of_line + j < 15 && (dut.seen_q[j] != seen_q[first_of_line + j] || (dut.seen_q[j] &&
                dut.word_q[j*W +: W] != min_q[(first_of_line + j)*W +: W])))
                line_agrees = 1'b0;
    end

    // ---- the search, seen from outside ----

    reg [TB_W-1:0] z_q, tb0_q, hx_q, hy_q, hz_q;
    reg [W-1:0]    iter0_q, hi_q;
    always @(posedge clk_i) begin
        if (miss && !(dut.held_q && dut.entry_q == dut.el_entry_q)) z_q <= 0;
        else if (dut.test && !dut.found && dut.cta_done && !relation)
            z_q <= dut.last_tb ? 0 : dut.last_x && dut.last_y ? z_q + 1 : z_q;
        if (miss) begin
            tb0_q   <= dut.held_q && dut.entry_q == dut.el_entry_q ? tb : 0;
            iter0_q <= dut.held_q && dut.entry_q == dut.el_entry_q ? iter : 0;
        end
        if (dut.found) begin
            hx_q <= x; hy_q <= y; hz_q <= z_q; hi_q <= iter;
        end
    end
    wire busy_with = state != IDLE && mine;
    wire stands    = dut.entry_q == watched && (dut.held_q || state != IDLE); // the search's position is the watched
                                                                              // array's
    wire [TB_W:0] positions = {1'b0, ctas} + (TYPE == 0 ? 0 : 1);
    wire [TB_W:0] since  = w_position >= tb0_q ? w_position - tb0_q : w_position + positions - tb0_q;
    wire [TB_W-1:0] w_position = TYPE == 0 ? w : closing;
    wire [TB_W:0] moved  = tb0_q + round >= positions ? tb0_q + round - positions : tb0_q + round;
    wire [W:0]    i_since = wi >= iter0_q ? wi - iter0_q : wi + last_iter + 1 - iter0_q;
    wire [W:0]    i_sum = iter0_q + tries;
    wire [W:0]    i_moved = i_sum > {1'b0, last_iter} ? i_sum - last_iter - 1 : i_sum;
    wire tried = since < {1'b0, round} || (TYPE == 0 && since == {1'b0, round} && i_since < {1'b0, tries});


    // ---- the bound ----

    // Cycles that the element has been here before this one, and at most so many more, this one too.
    reg [15:0] age_q;
    always @(posedge clk_i) age_q <= rst_i || !busy || el_ready ? 16'd0 : age_q + {15'd0, !ins_valid};
    wire [15:0] n_ctas = {{16-TB_W{1'b0}}, ctas}, n_round = {{16-TB_W{1'b0}}, round}, n_tb = {{16-TB_W{1'b0}}, tb};
    wire [15:0] times  = TYPE == 0 ? {{16-W{1'b0}}, last_iter} + 16'd1 : 16'd1;        // N
    wire [15:0] bound  = n_ctas * (7 + times + (K - 1));
    wire [15:0] tests  = TYPE == 0 ? (n_ctas - n_round) * times - {{16-W{1'b0}}, tries} : n_ctas + 16'd1 - n_round;
    wire [15:0] answer = K - {8'd0, asked_q};
    reg [15:0]  s, d;
    reg [15:0]  lines;                                // of the table that are still to be read behind this place
    always @* begin
        lines = 0;
        for (s = 0; s < 15; s = s + 7) begin
            d = s > n_tb ? s - n_tb : s + n_ctas + 1 - n_tb;
            if (TYPE == 1 && s < n_ctas && d < tests) lines = lines + 1;
        end
    end
    wire        need_line = TYPE == 1 && tb != ctas && !dut.line_q;
    wire [15:0] round_trip = TYPE == 0 ? n_ctas * times : n_ctas + 16'd1;
    reg [15:0]  left;
    always @* case (state)
        IDLE:          left = 2 + round_trip + (TYPE == 0 ? K + 3 : (K + 1) * (ctas <= 7 ? 1 : ctas <= 14 ? 3 : 4));
        REQUEST, WAIT: left = answer + (TYPE == 0 ? 3 : 0) + tests + 1 + (K + 1) * lines;
        SPAN:          left = 3 - {14'd0, dut.dim_q} + tests + 1;
        default:       left = tests + 1 + (K + 1) * (lines + {15'd0, need_line});
    endcase

    wire [TB_W:0] h = 7 * dut.hist_group_q + {{TB_W-2{1'b0}}, dut.hist_slot_q};  // whose range is the history
    wire [W-1:0]  w_span = w_hi - w_lo - 1'b1;
    wire [W-1:0]  h_first = lowest + m3 * hx_q + m4 * hy_q + m5 * hz_q + hi_q * ofs;
    wire          h_legal = hx_q < gx_q && hy_q < gy_q && hz_q < gz_q && hi_q <= last_iter && h == hx_q + gx_q * (hy_q + gy_q * hz_q);
    wire [W-1:0]  plane = lowest + m5 * z_q, row = plane + m4 * y, start = row + m3 * x;
    wire [W-1:0]  h_offset = index - h_first;
    wire [LINE_W-1:0] its_line = (watched ? source_q[LINE_W +: LINE_W] : source_q[0 +: LINE_W]) +
                                (TYPE == 1 ? {{LINE_W-TB_W{1'b0}}, tb} / 7 : 0);

    always @* if (started_q) begin
        // ---- claims ----
        if (unmatched && mine && legal) dropped_is_nobodys: assert (!reads);
        if (ins_valid && mine && TYPE == 0) goes_to_a_reader: assert (h_legal && h_offset <= span);
        if (ins_valid && mine && TYPE == 1 && h == {1'b0, wx}) goes_to_its_reader: assert (range_legal && range_reads);
        if (ins_valid && mine) to_a_cta: assert (h < {1'b0, ctas} && 7 * ins_group + {{TB_W-2{1'b0}}, ins_slot} == h && ins_slot < 7);
        one_end: assert (!(ins_valid && unmatched) && (!unmatched || !dut.found));
        if (req_valid && mine)
            asks_for: assert (req_line == its_line);
        if (busy && mine) in_time: assert (age_q + 16'd1 <= bound);

        // ---- what makes them inductive ----
        launch: assert (dut.ctas_q == ctas && dut.grid_x_q == gx_q && dut.grid_y_q == gy_q && dut.block_q == block_q &&
                        gx_q * gy_q * gz_q < (1 << TB_W) && ctas != 0);
        state_is_legal: assert (state <= SCAN && (state == IDLE || (dut.el_valid_q && dut.entry_q == dut.el_entry_q && !dut.hist_hit)));
        if (stands) begin
            where: assert (dut.slot_q < 7 && 7 * dut.group_q + dut.slot_q == (TYPE == 1 && tb == ctas ? tb - 1 : tb));
            in_grid: assert ({1'b0, tb} < positions);
        end
        if (stands && TYPE == 0) begin
            held: assert (dut.held_q == (state == SCAN || state == IDLE));
            ctaid: assert (tb == x + gx_q * (y + gy_q * z_q) && x < gx_q && y < gy_q && z_q < gz_q);
            if (state == IDLE || state == SCAN) begin
                words: assert (dut.word_q == {last_iter, ofs, lowest, apd_q[0 +: 6*W]} && dut.span_q == span);
                starts: assert (dut.plane_q == plane && dut.row_q == row && dut.start_q == start);
                offset: assert (dut.off_q == iter * ofs && iter <= last_iter);
            end else
                fresh: assert (x == 0 && y == 0 && z_q == 0 && tb == 0 && iter == 0 && dut.off_q == 0 && round == 0 && tries == 0);
            if (state == SPAN)
                summing: assert (dut.dim_q < 3 && dut.word_q == {last_iter, ofs, dut.dim_q == 0 ? apd_q[6*W +: W] :
                                                                  dut.dim_q == 1 ? low0 : low1, apd_q[0 +: 6*W]} &&
                                 dut.span_q == (dut.dim_q == 0 ? {W{1'b0}} : dut.dim_q == 1 ? r0 : span01));
        end
        if (stands && TYPE == 1) begin
            held_line: assert (state != SPAN && (dut.held_q || state != SCAN) && (!(state == REQUEST || state == WAIT) ||
                                                                                  (!dut.line_q && tb != ctas)) &&
                               (ctas > 7 || state == REQUEST || state == WAIT || dut.line_q));
            if (dut.own_valid_q)
                own_is_before: assert (own < {1'b0, tb} && dut.own_slot_q < 7 && seen_q[own[3:0]] && dut.start_q == min_q[own[3:0]*W +: W]);
            own_is_last: assert (none_between);
            if (dut.line_q) line: assert (line_agrees);
        end
        if (busy_with) begin
            position: assert ({1'b0, tb} == moved && {1'b0, tb0_q} < positions && {1'b0, round} < positions);
            if (TYPE == 0) iteration: assert ({1'b0, iter} == i_moved && iter0_q <= last_iter && tries <= last_iter);
            if (legal && tried) tried_in_vain: assert (!reads);
        end
        if (dut.hist_valid_q && dut.hist_entry_q == watched) begin
            history: assert (h < {1'b0, ctas} && dut.hist_slot_q < 7);
            if (TYPE == 0) history_tid: assert (h_legal && dut.hist_span_q == span && dut.hist_lo_q == h_first);
            if (TYPE == 1 && h == {1'b0, wx})
                history_range: assert (range_legal && w_lo < w_hi && dut.hist_lo_q == w_lo && dut.hist_span_q == w_span);
        end
        asked: assert ((state != REQUEST || asked_q <= K - 2) && (state != WAIT || asked_q <= K - 1) &&
                       (!busy || state != IDLE || asked_q == 0));
        if (busy && mine && !ins_valid) in_time_by: assert (age_q + left <= bound && (state != IDLE || age_q == 0));
    end

    // ---- from one cycle to the next ----

    wire [GROUP_W+W+W+4:0] hist = {dut.hist_valid_q, dut.hist_entry_q, dut.hist_lo_q, dut.hist_span_q, dut.hist_group_q,
                                   dut.hist_slot_q};
    wire [W+W+1:0]         element = {dut.el_entry_q, dut.el_index_q, dut.el_value_q, dut.el_saturated_q};
    wire [16*W+7*TB_W+3*BLOCK_W+2*GROUP_W+21:0] rest = {
        dut.ctas_q, dut.grid_x_q, dut.grid_y_q, dut.block_q, state, dut.held_q, dut.entry_q, round, tb, dut.group_q,
        dut.slot_q, dut.word_q, dut.start_q, dut.row_q, dut.plane_q, dut.span_q, dut.dim_q, x, y, iter, dut.off_q, tries,
        dut.line_q, dut.seen_q, dut.own_valid_q, dut.own_group_q, dut.own_slot_q};
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(take)) as_it_came: assert (busy && element == $past({el_entry_i, el_index_i, el_value_i, el_saturated_i}));
            if ($past(busy && !el_ready)) stays: assert (busy && $stable(element));
            if ($past(ins_valid && !ins_ready_i))
                offer_holds: assert (ins_valid && $stable(ins_group) && $stable(ins_slot) && $stable(ins_value) && $stable(ins_saturated));
            if ($past(req_valid && !req_ready_i)) request_holds: assert (req_valid && $stable(req_line));
            if ($past(!dut.found && !forget_i)) history_stays: assert ($stable(hist));
            if ($past(unmatched && mine)) search_stays: assert (tb == tb0_q && (TYPE == 1 || iter == iter0_q) && state == IDLE);
            if ($past(!busy && !el_valid_i && !forget_i)) quiet: assert (!busy && $stable(element) && $stable(hist) && $stable(rest));
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            goes_on: cover (ins_valid && mine && legal && reads && dut.hist_hit);
            goes_on_after_a_round: cover (dut.found && mine && round != 0);
            dropped: cover (unmatched && mine && legal);
        end
endmodule
`default_nettype wire
