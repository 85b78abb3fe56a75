// What is claimed of locality_table and pin_replacement together, wired as an L1 has them: the line of an access whose
// data structure bypasses the cache is never allocated.
//
// An access is looked up in the table; its answer waits there until the access is at the cache (turn_i), with or
// without success (done_i: else it comes again). One that misses (miss_i) asks pin_replacement for a way of its set,
// whichever that is (set_i: any index of sets), and bypasses if the entry that answered says so. What has no answer of
// the table asks beside it (other_i: stores, prefetches). Operations and fills are anything at any time: nothing is
// assumed of what the cache does with a response.
//
// Whether an access bypasses is found here once more, at the ports: by what was written into the table. Registers are
// seen under their names: Verilator looks them up, Yosys joins the wires below when it flattens (hierconn). This file
// is read before the blocks: with it, their own proofs are left out.
//
// Needs       rtl/locality_table/locality_table.v
`default_nettype none
`define LOCALITY_JOINED
module pin_bypass_claims #(
    parameter ENTRIES = 2,
    parameter ADDR_W  = 8,
    parameter PRIO_W  = 2,
    parameter SETS    = 2,
    parameter WAYS    = 2
) (
    input wire                                     clk_i,
    input wire                                     rst_i,
    input wire                                     wr_valid_i,
    input wire [$clog2(ENTRIES)-1:0]               wr_index_i,
    input wire                                     wr_used_i,
    input wire [ADDR_W-1:0]                        wr_base_i,
    input wire [ADDR_W-1:0]                        wr_bound_i,
    input wire [PRIO_W-1:0]                        wr_prio_i,
    input wire [1:0]                               wr_caching_i,
    input wire                                     look_valid_i,
    input wire [ADDR_W-1:0]                        look_addr_i,
    input wire                                     turn_i,
    input wire                                     miss_i,
    input wire                                     done_i,
    input wire                                     other_i,
    input wire [(SETS > 2 ? $clog2(SETS) : 1)-1:0] set_i,
    input wire [31:0]                              now_i,
    input wire                                     rsp_ready_i,
    input wire                                     op_valid_i,
    input wire [1:0]                               op_kind_i,
    input wire [(SETS > 2 ? $clog2(SETS) : 1)-1:0] op_set_i,
    input wire [(WAYS > 2 ? $clog2(WAYS) : 1)-1:0] op_way_i,
    input wire                                     op_reserve_i,
    input wire [1:0]                               op_pin_i,
    input wire                                     fill_valid_i,
    input wire [(SETS > 2 ? $clog2(SETS) : 1)-1:0] fill_set_i,
    input wire [(WAYS > 2 ? $clog2(WAYS) : 1)-1:0] fill_way_i,
    input wire                                     fill_drop_i
);
    localparam INDEX_W = $clog2(ENTRIES);
    localparam WAY_W   = WAYS > 2 ? $clog2(WAYS) : 1;
    localparam [1:0] BYPASS = 2'd1, TAKE = 2'd1;

    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);

    // ---- the two blocks, as the L1 joins them ----

    wire               look_ready, ans_valid, ans_match, req_ready, rsp_valid, rsp_found;
    wire [1:0]         ans_caching;
    wire               unused_table_busy, unused_unpin, unused_busy, unused_distance;
    wire [INDEX_W-1:0] unused_index;
    wire [1:0]         unused_prefetch, unused_pin;
    wire [ADDR_W-1:0]  unused_bound;
    wire [WAY_W-1:0]   unused_way;
    wire               its_turn   = ans_valid && turn_i;
    wire               req_valid  = its_turn ? miss_i : other_i;
    wire               req_bypass = its_turn && ans_match && ans_caching == BYPASS;
    locality_table #(.ENTRIES(ENTRIES), .ADDR_W(ADDR_W), .PRIO_W(PRIO_W), .DIST_W(1)) table_ (
        .clk_i(clk_i), .rst_i(rst_i), .wr_valid_i(wr_valid_i), .wr_index_i(wr_index_i), .wr_used_i(wr_used_i), .wr_base_i(wr_base_i),
        .wr_bound_i(wr_bound_i), .wr_prio_i(wr_prio_i), .wr_caching_i(wr_caching_i), .wr_prefetch_i(2'd0), .wr_distance_i(1'b0),
        .look_valid_i(look_valid_i), .look_ready_o(look_ready), .look_addr_i(look_addr_i), .ans_valid_o(ans_valid),
        .ans_ready_i(turn_i && done_i && req_ready), .ans_match_o(ans_match), .ans_index_o(unused_index), .ans_caching_o(ans_caching),
        .ans_prefetch_o(unused_prefetch), .ans_distance_o(unused_distance), .ans_bound_o(unused_bound), .busy_o(unused_table_busy)
    );
    pin_replacement #(.SETS(SETS), .WAYS(WAYS), .TIMER(5)) pins (
        .clk_i(clk_i), .rst_i(rst_i), .now_i(now_i), .req_valid_i(req_valid), .req_ready_o(req_ready), .req_set_i(set_i),
        .req_bypass_i(req_bypass), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready_i), .rsp_found_o(rsp_found), .rsp_way_o(unused_way),
        .rsp_pin_o(unused_pin), .op_valid_i(op_valid_i), .op_kind_i(op_kind_i), .op_set_i(op_set_i), .op_way_i(op_way_i),
        .op_reserve_i(op_reserve_i), .op_pin_i(op_pin_i), .fill_valid_i(fill_valid_i), .fill_set_i(fill_set_i), .fill_way_i(fill_way_i),
        .fill_drop_i(fill_drop_i), .unpin_o(unused_unpin), .busy_o(unused_busy)
    );
`ifdef YOSYS
    (* hierconn *) wire [ENTRIES-1:0]        \table_.used_q ;
    (* hierconn *) wire [ENTRIES*ADDR_W-1:0] \table_.base_q , \table_.bound_q ;
    (* hierconn *) wire [ENTRIES*PRIO_W-1:0] \table_.prio_q ;
    (* hierconn *) wire [ENTRIES*2-1:0]      \table_.caching_q ;
    (* hierconn *) wire [1:0]                \table_.ans_valid_q , \table_.ans_match_q ;
    (* hierconn *) wire [3:0]                \table_.ans_caching_q ;
    (* hierconn *) wire                      \pins.req_bypass_q , \pins.given_q ;
    (* hierconn *) wire [SETS*WAYS-1:0]      \pins.valid_q ;
`endif
    wire [ENTRIES-1:0]        used = table_.used_q;
    wire [ENTRIES*ADDR_W-1:0] base = table_.base_q, bound = table_.bound_q;
    wire [ENTRIES*PRIO_W-1:0] prio = table_.prio_q;
    wire [ENTRIES*2-1:0]      caching = table_.caching_q;
    wire [1:0]                waiting = table_.ans_valid_q, matched = table_.ans_match_q;
    wire [3:0]                says = table_.ans_caching_q;
    wire                      asked_bypass = pins.req_bypass_q, given = pins.given_q;
    wire [SETS*WAYS-1:0]      valid = pins.valid_q;

    // ---- which accesses bypass: what was written last into each entry, and the entry that answers ----

    reg [ENTRIES-1:0]        used_q;
    reg [ENTRIES*ADDR_W-1:0] base_q, bound_q;
    reg [ENTRIES*PRIO_W-1:0] prio_q;
    reg [ENTRIES*2-1:0]      caching_q;
    always @(posedge clk_i)
        if (rst_i) begin
            used_q    <= {ENTRIES{1'b0}};
            base_q    <= {ENTRIES*ADDR_W{1'b0}};
            bound_q   <= {ENTRIES*ADDR_W{1'b0}};
            prio_q    <= {ENTRIES*PRIO_W{1'b0}};
            caching_q <= {ENTRIES*2{1'b0}};
        end else if (wr_valid_i) begin
            used_q[wr_index_i]                    <= wr_used_i;
            base_q[wr_index_i*ADDR_W +: ADDR_W]   <= wr_base_i;
            bound_q[wr_index_i*ADDR_W +: ADDR_W]  <= wr_bound_i;
            prio_q[wr_index_i*PRIO_W +: PRIO_W]   <= wr_prio_i;
            caching_q[wr_index_i*2 +: 2]          <= wr_caching_i;
        end

    reg              none, wins_bypass;
    reg [PRIO_W-1:0] least;
    integer          e;
    always @* begin
        none = 1'b1;
        wins_bypass = 1'b0;
        least = {PRIO_W{1'b0}};
        for (e = 0; e < ENTRIES; e = e + 1)
            if (used_q[e] && look_addr_i >= base_q[e*ADDR_W +: ADDR_W] && look_addr_i < bound_q[e*ADDR_W +: ADDR_W] &&
                (none || prio_q[e*PRIO_W +: PRIO_W] < least)) begin
                none = 1'b0;
                wins_bypass = caching_q[e*2 +: 2] == BYPASS;
                least = prio_q[e*PRIO_W +: PRIO_W];
            end
    end

    // ---- the accesses on their way: two in the table, one that has asked for a way, the last one answered ----

    reg  [1:0] many_q;
    reg        first_q, second_q, pending_q, last_q;                   // whether each bypasses
    wire       comes  = look_valid_i && look_ready;
    wire       goes   = ans_valid && turn_i && done_i && req_ready;
    wire       ends   = rsp_valid && rsp_ready_i;
    wire       bypass = ends ? pending_q : last_q;
    wire [1:0] left   = many_q - {1'b0, goes};
    always @(posedge clk_i)
        if (rst_i) begin
            many_q <= 2'd0;
            {first_q, second_q, pending_q, last_q} <= 4'd0;
        end else begin
            many_q <= left + {1'b0, comes};
            if (goes) first_q <= second_q;
            if (comes && left == 2'd0) first_q <= wins_bypass;
            if (comes && left == 2'd1) second_q <= wins_bypass;
            if (req_valid && req_ready) pending_q <= its_turn && first_q;
            last_q <= bypass;
        end

    always @* if (started_q) begin
        // ---- claims ----
        bypass_is_given_none: assert (!(rsp_valid && pending_q && rsp_found));

        // ---- what makes them inductive ----
        table_is_as_written: assert (used == used_q && base == base_q && bound == bound_q && prio == prio_q && caching == caching_q);
        as_many_wait: assert ((waiting == 2'b00 && many_q == 2'd0) || (waiting == 2'b01 && many_q == 2'd1) ||
                              (waiting == 2'b11 && many_q == 2'd2));
        first_is_right: assert (!waiting[0] || (matched[0] && says[1:0] == BYPASS) == first_q);
        second_is_right: assert (!waiting[1] || (matched[1] && says[3:2] == BYPASS) == second_q);
        request_is_right: assert (!rsp_valid || asked_bypass == pending_q);
        nothing_is_left: assert (!(last_q && given));
    end
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            bypassed_is_never_allocated: assert (!($past(bypass) && |(valid & ~$past(valid))));

            // What the above talks about can happen.
            bypass_by_second_entry: cover (rsp_valid && pending_q && used == {ENTRIES{1'b1}} && caching[1:0] != BYPASS);
            not_by_first_entry: cover (rsp_valid && !pending_q && rsp_found && caching[1:0] == BYPASS && used[0]);
            bypassed_line_wants_a_way: cover ($past(bypass && op_valid_i && op_kind_i == TAKE) && ans_valid);
            allocated_after_a_bypass: cover ($past(!bypass && last_q) && |(valid & ~$past(valid)));
            retried_bypass: cover ($past(rsp_valid && pending_q) && rsp_valid && pending_q && ans_valid && first_q);
        end
endmodule
`default_nettype wire
