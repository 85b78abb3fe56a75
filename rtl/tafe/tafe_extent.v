// tafe_extent: widens extents in a write-combining buffer of one line of an extent table.
//
// A line holds 7 extents of 9 bytes: a valid byte, minimum and maximum of 32 bits, little endian; byte 63 is zero. A
// value for the line that is here widens its extent in one cycle. Another line is first read, and before that the
// buffer written if it has changed. flush_i writes it too.
//
// Latency     a value for the line that is here is in it after the edge of the cycle in which it is here.
// Throughput  a value a cycle.
// Handshake   ready/valid; ready and the request depend on registers, extents_i and flush_i alone. A read's response
//             comes in a later cycle; a write has none.
// Source      tafe, sections 4.2 (Figure 8) and 4.3
`default_nettype none
module tafe_extent #(
    parameter ENTRIES = 2,               // all as in tafe_top
    parameter ADDR_W  = 48,
    parameter INDEX_W = 32,
    parameter TB_W    = 31
) (
    input  wire                       clk_i,
    input  wire                       rst_i,          // synchronous, active high
    input  wire                       flush_i,        // write what has changed; no value comes then
    input  wire                       forget_i,       // what is here, which is in memory
    input  wire                       ins_valid_i,
    output wire                       ins_ready_o,
    input  wire [$clog2(ENTRIES)-1:0] ins_entry_i,
    input  wire [TB_W-3:0]            ins_group_i,
    input  wire [2:0]                 ins_slot_i,
    input  wire [INDEX_W-1:0]         ins_value_i,
    input  wire                       ins_saturated_i,
    output wire [$clog2(ENTRIES)-1:0] entry_o,        // of the value that is here; where its array's extents start:
    input  wire [ADDR_W-7:0]          extents_i,
    output wire                       req_valid_o,
    input  wire                       req_ready_i,
    output wire                       req_write_o,
    output wire [ADDR_W-7:0]          req_line_o,
    output wire [511:0]               req_data_o,
    input  wire                       rsp_valid_i,
    input  wire [511:0]               rsp_data_i,
    output wire                       dirty_o,
    output wire                       busy_o
);
    localparam ENTRY_W = $clog2(ENTRIES);
    localparam GROUP_W = TB_W - 2;
    localparam LINE_W  = ADDR_W - 6;

    reg                 in_valid_q;                   // the value
    reg [ENTRY_W-1:0]   in_entry_q;
    reg [GROUP_W-1:0]   in_group_q;
    reg [2:0]           in_slot_q;
    reg [INDEX_W-1:0]   in_value_q;
    reg                 in_saturated_q;
    reg                 wait_q;
    reg                 valid_q;                      // the buffer
    reg                 dirty_q;
    reg [LINE_W-1:0]    line_q;
    reg [6:0]           seen_q;
    reg [7*INDEX_W-1:0] min_q;
    reg [7*INDEX_W-1:0] max_q;

    wire [LINE_W-1:0] line  = extents_i + {{LINE_W-GROUP_W{1'b0}}, in_group_q};
    wire              here  = valid_q && line_q == line;
    wire              write = in_valid_q && here;
    wire              fetch = in_valid_q && !here && !wait_q;
    wire              take  = ins_valid_i && ins_ready_o;

    // ---- the extent that is widened ----

    wire [7:0]         seen    = {1'b0, seen_q};
    wire               known   = seen[in_slot_q];
    wire [INDEX_W-1:0] minimum = min_q[in_slot_q*INDEX_W +: INDEX_W];
    wire [INDEX_W-1:0] maximum = max_q[in_slot_q*INDEX_W +: INDEX_W];
    wire [INDEX_W-1:0] low     = in_saturated_q ? {INDEX_W{1'b0}} : in_value_q;
    wire [INDEX_W-1:0] high    = in_saturated_q ? {INDEX_W{1'b1}} : in_value_q;
    wire               lower   = !known || low < minimum;
    wire               higher  = !known || high > maximum;

    assign ins_ready_o = !in_valid_q || here;
    assign entry_o     = in_entry_q;
    assign req_valid_o = fetch || (flush_i && dirty_q);
    assign req_write_o = dirty_q;
    assign req_line_o  = dirty_q ? line_q : line;
    assign dirty_o     = dirty_q;
    assign busy_o      = in_valid_q;

    // ---- the line as bytes ----

    wire [7*INDEX_W-1:0] rsp_min;
    wire [7*INDEX_W-1:0] rsp_max;
    wire [6:0]           rsp_seen;
    genvar               g;
    generate
        for (g = 0; g < 7; g = g + 1) begin : g_extent
            assign req_data_o[72*g +: 8]         = {7'd0, seen_q[g]};
            assign req_data_o[72*g+8 +: 32]      = {{32-INDEX_W{1'b0}}, min_q[g*INDEX_W +: INDEX_W]};
            assign req_data_o[72*g+40 +: 32]     = {{32-INDEX_W{1'b0}}, max_q[g*INDEX_W +: INDEX_W]};
            assign rsp_seen[g]                   = rsp_data_i[72*g];
            assign rsp_min[g*INDEX_W +: INDEX_W] = rsp_data_i[72*g+8 +: INDEX_W];
            assign rsp_max[g*INDEX_W +: INDEX_W] = rsp_data_i[72*g+40 +: INDEX_W];
        end
    endgenerate
    assign req_data_o[504 +: 8] = 8'd0;
    wire unused = &{1'b0, rsp_data_i};

    always @(posedge clk_i)
        if (rst_i) begin
            in_valid_q     <= 1'b0;
            in_entry_q     <= {ENTRY_W{1'b0}};
            in_group_q     <= {GROUP_W{1'b0}};
            in_slot_q      <= 3'd0;
            in_value_q     <= {INDEX_W{1'b0}};
            in_saturated_q <= 1'b0;
            wait_q         <= 1'b0;
            valid_q        <= 1'b0;
            dirty_q        <= 1'b0;
            line_q         <= {LINE_W{1'b0}};
            seen_q         <= 7'd0;
            min_q          <= {7*INDEX_W{1'b0}};
            max_q          <= {7*INDEX_W{1'b0}};
        end else begin
            in_valid_q <= take || (in_valid_q && !here);
            if (take) begin
                in_entry_q     <= ins_entry_i;
                in_group_q     <= ins_group_i;
                in_slot_q      <= ins_slot_i;
                in_value_q     <= ins_value_i;
                in_saturated_q <= ins_saturated_i;
            end
            if (write) begin
                seen_q[in_slot_q] <= 1'b1;
                if (lower)
                    min_q[in_slot_q*INDEX_W +: INDEX_W] <= low;
                if (higher)
                    max_q[in_slot_q*INDEX_W +: INDEX_W] <= high;
                if (lower || higher)
                    dirty_q <= 1'b1;
            end
            if (req_valid_o && req_ready_i) begin
                dirty_q <= 1'b0;
                wait_q  <= !dirty_q;
            end
            if (wait_q && rsp_valid_i) begin
                wait_q  <= 1'b0;
                valid_q <= 1'b1;
                line_q  <= line;
                seen_q  <= rsp_seen;
                min_q   <= rsp_min;
                max_q   <= rsp_max;
            end
            if (forget_i)
                valid_q <= 1'b0;
        end

`ifdef FORMAL
`ifndef TAFE_STAGES_JOINED // where the stages are proved joined, what is assumed here is a claim
    // Proved from reset on, for every input that keeps the protocol; the watched extent is any extent of memory. After
    // forget_i, and until the next value is taken, the host program may write it.
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [LINE_W-1:0] watched_line;                        // the solver chooses
    (* anyconst *) wire [2:0]        watched_slot;
    (* anyconst *) wire [ADDR_W-7:0] table_of_0;                          // extents_i is a function of the entry
    (* anyconst *) wire [ADDR_W-7:0] table_of_1;
    (* anyseq *) wire                host_writes;                         // the host program writes the watched extent:
    (* anyseq *) wire                host_seen;                           // what and when, the solver chooses
    (* anyseq *) wire [INDEX_W-1:0]  host_min, host_max;
    // verilator lint_on UNDRIVEN
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    wire [ADDR_W-7:0] entry_table = in_entry_q[0] ? table_of_1 : table_of_0;
    wire [ADDR_W-7:0] taken_table = ins_entry_i[0] ? table_of_1 : table_of_0;
    wire [LINE_W-1:0] taken_line  = taken_table + {{LINE_W-GROUP_W{1'b0}}, ins_group_i};

    // Memory at the watched extent, and the extent as it ought to be: it takes each value when the value is taken.
    reg               mem_seen_q;
    reg [INDEX_W-1:0] mem_min_q, mem_max_q;
    reg               ref_seen_q;
    reg [INDEX_W-1:0] ref_min_q, ref_max_q;
    reg               fetched_q;                                          // the watched line is what is being read
    reg               host_may_q;                                         // since forget_i no value has come
    reg               rewritten_q;                                        // the host has written it
    wire              rd_seen  = rsp_data_i[72*watched_slot];
    wire [INDEX_W-1:0] rd_min  = rsp_data_i[72*watched_slot+8 +: INDEX_W];
    wire [INDEX_W-1:0] rd_max  = rsp_data_i[72*watched_slot+40 +: INDEX_W];
    wire [INDEX_W-1:0] taken_low  = ins_saturated_i ? {INDEX_W{1'b0}} : ins_value_i;
    wire [INDEX_W-1:0] taken_high = ins_saturated_i ? {INDEX_W{1'b1}} : ins_value_i;
    wire taken_here = take && taken_line == watched_line && ins_slot_i == watched_slot;
    always @(posedge clk_i)
        if (rst_i) begin
            mem_seen_q <= 1'b0;
            mem_min_q  <= {INDEX_W{1'b0}};
            mem_max_q  <= {INDEX_W{1'b0}};
            ref_seen_q <= 1'b0;
            ref_min_q  <= {INDEX_W{1'b0}};
            ref_max_q  <= {INDEX_W{1'b0}};
            fetched_q  <= 1'b0;
            host_may_q <= 1'b0;
            rewritten_q <= 1'b0;
        end else begin
            host_may_q <= forget_i || (host_may_q && !take);
            if (host_writes) begin
                {mem_seen_q, mem_min_q, mem_max_q} <= {host_seen, host_min, host_max};
                {ref_seen_q, ref_min_q, ref_max_q} <= {host_seen, host_min, host_max};
                rewritten_q <= 1'b1;
            end
            if (req_valid_o && req_ready_i) begin
                if (req_write_o && req_line_o == watched_line) begin
                    mem_seen_q <= req_data_o[72*watched_slot];
                    mem_min_q  <= req_data_o[72*watched_slot+8 +: INDEX_W];
                    mem_max_q  <= req_data_o[72*watched_slot+40 +: INDEX_W];
                end
                fetched_q <= !req_write_o && req_line_o == watched_line;
            end
            if (taken_here) begin
                ref_seen_q <= 1'b1;
                if (!ref_seen_q || taken_low < ref_min_q) ref_min_q <= taken_low;
                if (!ref_seen_q || taken_high > ref_max_q) ref_max_q <= taken_high;
            end
        end
    always @* begin
        if (!started_q) assume (rst_i);
        assume (watched_slot < 3'd7);
        assume (ins_slot_i < 3'd7);
        assume (extents_i == entry_table);
        if (flush_i) assume (!ins_valid_i && !in_valid_q);                // as tafe_top drives them
        if (forget_i) assume (!ins_valid_i && !in_valid_q && !dirty_q);
        if (host_writes) assume (host_may_q && !ins_valid_i);             // csim/hw/tafe/tafe.h
        if (rsp_valid_i) assume (wait_q);
        if (rsp_valid_i && fetched_q)
            assume (rd_seen == mem_seen_q && (!rd_seen || (rd_min == mem_min_q && rd_max == mem_max_q)));
    end
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i) && $past(flush_i && dirty_q && !req_ready_i)) assume (flush_i);

    // What buffer or memory hold, with the value that is here, is the reference.
    wire               buffered  = valid_q && line_q == watched_line;
    wire               held_seen = buffered ? seen[watched_slot] : mem_seen_q;
    wire [INDEX_W-1:0] held_min  = buffered ? min_q[watched_slot*INDEX_W +: INDEX_W] : mem_min_q;
    wire [INDEX_W-1:0] held_max  = buffered ? max_q[watched_slot*INDEX_W +: INDEX_W] : mem_max_q;
    wire               pending   = in_valid_q && line == watched_line && in_slot_q == watched_slot;
    wire [INDEX_W-1:0] sum_min   = pending && (!held_seen || low < held_min) ? low : held_min;
    wire [INDEX_W-1:0] sum_max   = pending && (!held_seen || high > held_max) ? high : held_max;
    always @*
        if (started_q) begin
            seen_is_reference: assert ((held_seen || pending) == ref_seen_q);
            if (ref_seen_q) begin
                minimum_is_reference: assert (sum_min == ref_min_q);
                maximum_is_reference: assert (sum_max == ref_max_q);
            end
            // What makes it inductive.
            slot_is_legal: assert (in_slot_q < 3'd7);
            waits_for_a_value: assert (!wait_q || (in_valid_q && !here && !dirty_q));
            dirty_is_valid: assert (!dirty_q || valid_q);
            nothing_is_kept: assert (!host_may_q || (!in_valid_q && !valid_q));
            fetched_is_this: assert (!wait_q || fetched_q == (line == watched_line));
            if (buffered && !dirty_q) begin
                clean_is_memory: assert (mem_seen_q == seen[watched_slot]);
                if (mem_seen_q) clean_min_is_memory: assert (mem_min_q == min_q[watched_slot*INDEX_W +: INDEX_W]);
                if (mem_seen_q) clean_max_is_memory: assert (mem_max_q == max_q[watched_slot*INDEX_W +: INDEX_W]);
            end
        end
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            // A request holds until it is taken; a value waits for memory alone.
            if ($past(req_valid_o && !req_ready_i)) begin
                request_holds: assert (req_valid_o && req_write_o == $past(req_write_o) && req_line_o == $past(req_line_o));
                data_is_stable: assert (!req_write_o || req_data_o == $past(req_data_o));
            end
            if ($past(in_valid_q && !here && !wait_q))
                value_asks: assert (wait_q || req_valid_o);
            // Any other extent of the line that is here stays what it was.
            if ($past(write && in_slot_q != watched_slot) && valid_q)
                others_stay: assert (seen[watched_slot] == $past(seen[watched_slot]) &&
                                     $stable(min_q[watched_slot*INDEX_W +: INDEX_W]) &&
                                     $stable(max_q[watched_slot*INDEX_W +: INDEX_W]));
            if ($past(!busy_o && !ins_valid_i && !flush_i && !forget_i)) begin
                quiet_value: assert ($stable(in_valid_q) && $stable(in_entry_q) && $stable(in_group_q) && $stable(in_slot_q) &&
                                     $stable(in_value_q) && $stable(in_saturated_q) && $stable(wait_q));
                quiet_buffer: assert ($stable(valid_q) && $stable(dirty_q) && $stable(line_q) && $stable(seen_q) &&
                                      $stable(min_q) && $stable(max_q));
            end
        end
    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            written_back: cover (mem_seen_q && mem_min_q != mem_max_q && !buffered);
            after_the_host: cover (rewritten_q && buffered && dirty_q && mem_seen_q && $past(write) && ref_min_q == mem_min_q);
            read_again: cover (buffered && !dirty_q && mem_seen_q && ref_seen_q && $past(wait_q));
        end
`endif
`endif
endmodule
`default_nettype wire
