// locality_table: which policy an access gets, by the data structure that its address lies in.
//
// The address of a look-up is compared with the ranges of all entries at once. Of the entries that hold it the one of
// the lowest priority number answers, of equal ones that of the lowest index; if none does the answer is the default,
// all 0.
//
// Latency     an answer can be taken one edge after its look-up is taken, if none waits ahead of it; a write is in the
//             table one edge after it is offered.
// Throughput  a look-up and a write a cycle.
// Handshake   ready/valid for look-ups and answers; ready and valid depend on registers alone; an answer holds until it
//             is taken, two can wait. A write is always taken; the look-up of its cycle is answered by the table as it
//             was. busy_o is high while an answer waits: with it low and no valid input, no register changes.
// Source      ldesc, sections 4.2, 4.4 and 4.5 (what is decided; the table is our design)
// Golden twin csim/hw/twins/locality_table.h
`default_nettype none
module locality_table #(
    parameter ENTRIES = 16,              // 2..32
    parameter ADDR_W  = 48,              // bits of an address, 8..64
    parameter PRIO_W  = 8,               // bits of a priority, 1..8
    parameter DIST_W  = 32               // bits of a distance, 1..32
) (
    input  wire                         clk_i,
    input  wire                         rst_i,          // synchronous, active high
    input  wire                         wr_valid_i,     // an entry is written
    input  wire [$clog2(ENTRIES)-1:0]   wr_index_i,     // beyond the last entry: nothing is
    input  wire                         wr_used_i,      // 0: it matches nothing
    input  wire [ADDR_W-1:0]            wr_base_i,
    input  wire [ADDR_W-1:0]            wr_bound_i,     // the first address behind it
    input  wire [PRIO_W-1:0]            wr_prio_i,
    input  wire [1:0]                   wr_caching_i,   // 0 as is, 1 bypass, 2 soft pin, 3 hard pin
    input  wire [1:0]                   wr_prefetch_i,  // 0 none, 1 next line, 2 stride
    input  wire [DIST_W-1:0]            wr_distance_i,  // of a stride prefetch, bytes
    input  wire                         look_valid_i,
    output wire                         look_ready_o,
    input  wire [ADDR_W-1:0]            look_addr_i,
    output wire                         ans_valid_o,
    input  wire                         ans_ready_i,
    output wire                         ans_match_o,    // this and the following are registered
    output wire [$clog2(ENTRIES)-1:0]   ans_index_o,
    output wire [1:0]                   ans_caching_o,
    output wire [1:0]                   ans_prefetch_o,
    output wire [DIST_W-1:0]            ans_distance_o,
    output wire [ADDR_W-1:0]            ans_bound_o,
    output wire                         busy_o
);
    localparam INDEX_W = $clog2(ENTRIES);

    generate
        if (ENTRIES < 2 || ENTRIES > 32) begin : g_bad_entries
            ILLEGAL_ENTRIES_must_be_2_to_32 u ();
        end
        if (ADDR_W < 8 || ADDR_W > 64) begin : g_bad_addr_w
            ILLEGAL_ADDR_W_must_be_8_to_64 u ();
        end
        if (PRIO_W < 1 || PRIO_W > 8) begin : g_bad_prio_w
            ILLEGAL_PRIO_W_must_be_1_to_8 u ();
        end
        if (DIST_W < 1 || DIST_W > 32) begin : g_bad_dist_w
            ILLEGAL_DIST_W_must_be_1_to_32 u ();
        end
    endgenerate

    reg [ENTRIES-1:0]        used_q;             // the table
    reg [ENTRIES*ADDR_W-1:0] base_q;
    reg [ENTRIES*ADDR_W-1:0] bound_q;
    reg [ENTRIES*PRIO_W-1:0] prio_q;
    reg [ENTRIES*2-1:0]      caching_q;
    reg [ENTRIES*2-1:0]      prefetch_q;
    reg [ENTRIES*DIST_W-1:0] distance_q;
    reg [1:0]                ans_valid_q;        // the answers that wait, oldest in place 0
    reg [1:0]                ans_match_q;
    reg [2*INDEX_W-1:0]      ans_index_q;
    reg [3:0]                ans_caching_q;
    reg [3:0]                ans_prefetch_q;
    reg [2*DIST_W-1:0]       ans_distance_q;
    reg [2*ADDR_W-1:0]       ans_bound_q;

    // ---- the entry that answers ----

    // A tournament: the entries are nodes LEAVES and up; node k has the better of nodes 2k and 2k + 1, of equal ones
    // 2k. Without a match it is entry 0 that comes out.
    localparam LEAVES = 1 << INDEX_W;
    reg [2*LEAVES-1:1]               hit;
    reg [2*LEAVES*PRIO_W-1:PRIO_W]   prio;
    reg [2*LEAVES*INDEX_W-1:INDEX_W] at;
    integer                          i, k;
    always @* begin
        hit  = 'd0;
        prio = 'd0;
        at   = 'd0;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            hit[LEAVES+i] = used_q[i] && look_addr_i >= base_q[i*ADDR_W +: ADDR_W] && look_addr_i < bound_q[i*ADDR_W +: ADDR_W];
            prio[(LEAVES+i)*PRIO_W +: PRIO_W] = prio_q[i*PRIO_W +: PRIO_W];
            at[(LEAVES+i)*INDEX_W +: INDEX_W] = i[INDEX_W-1:0];
        end
        for (k = LEAVES - 1; k > 0; k = k - 1)
            if (hit[2*k+1] && (!hit[2*k] || prio[(2*k+1)*PRIO_W +: PRIO_W] < prio[2*k*PRIO_W +: PRIO_W])) begin
                hit[k]                   = hit[2*k+1];
                prio[k*PRIO_W +: PRIO_W] = prio[(2*k+1)*PRIO_W +: PRIO_W];
                at[k*INDEX_W +: INDEX_W] = at[(2*k+1)*INDEX_W +: INDEX_W];
            end else begin
                hit[k]                   = hit[2*k];
                prio[k*PRIO_W +: PRIO_W] = prio[2*k*PRIO_W +: PRIO_W];
                at[k*INDEX_W +: INDEX_W] = at[2*k*INDEX_W +: INDEX_W];
            end
    end

    wire               match    = hit[1];
    wire [INDEX_W-1:0] index    = at[INDEX_W +: INDEX_W];
    wire [1:0]         caching  = match ? caching_q[index*2 +: 2] : 2'd0;
    wire [1:0]         prefetch = match ? prefetch_q[index*2 +: 2] : 2'd0;
    wire [DIST_W-1:0]  distance = match ? distance_q[index*DIST_W +: DIST_W] : {DIST_W{1'b0}};
    wire [ADDR_W-1:0]  bound    = match ? bound_q[index*ADDR_W +: ADDR_W] : {ADDR_W{1'b0}};

    // ---- the answers that wait ----

    wire take  = look_valid_i && look_ready_o;
    wire drop  = ans_valid_q[0] && ans_ready_i;
    wire to_1  = take && ans_valid_q[0] && !drop;
    wire to_0  = take && !to_1;
    wire shift = drop && ans_valid_q[1];

    assign look_ready_o   = !ans_valid_q[1];
    assign ans_valid_o    = ans_valid_q[0];
    assign ans_match_o    = ans_match_q[0];
    assign ans_index_o    = ans_index_q[0 +: INDEX_W];
    assign ans_caching_o  = ans_caching_q[1:0];
    assign ans_prefetch_o = ans_prefetch_q[1:0];
    assign ans_distance_o = ans_distance_q[0 +: DIST_W];
    assign ans_bound_o    = ans_bound_q[0 +: ADDR_W];
    assign busy_o         = ans_valid_q[0];

    always @(posedge clk_i)
        if (rst_i) begin
            ans_valid_q    <= 2'd0;
            ans_match_q    <= 2'd0;
            ans_index_q    <= {2*INDEX_W{1'b0}};
            ans_caching_q  <= 4'd0;
            ans_prefetch_q <= 4'd0;
            ans_distance_q <= {2*DIST_W{1'b0}};
            ans_bound_q    <= {2*ADDR_W{1'b0}};
        end else begin
            ans_valid_q <= {to_1 || (ans_valid_q[1] && !drop), to_0 || (drop ? ans_valid_q[1] : ans_valid_q[0])};
            if (to_0) begin
                ans_match_q[0]              <= match;
                ans_index_q[0 +: INDEX_W]   <= index;
                ans_caching_q[1:0]          <= caching;
                ans_prefetch_q[1:0]         <= prefetch;
                ans_distance_q[0 +: DIST_W] <= distance;
                ans_bound_q[0 +: ADDR_W]    <= bound;
            end else if (shift) begin
                ans_match_q[0]              <= ans_match_q[1];
                ans_index_q[0 +: INDEX_W]   <= ans_index_q[INDEX_W +: INDEX_W];
                ans_caching_q[1:0]          <= ans_caching_q[3:2];
                ans_prefetch_q[1:0]         <= ans_prefetch_q[3:2];
                ans_distance_q[0 +: DIST_W] <= ans_distance_q[DIST_W +: DIST_W];
                ans_bound_q[0 +: ADDR_W]    <= ans_bound_q[ADDR_W +: ADDR_W];
            end
            if (to_1) begin
                ans_match_q[1]                   <= match;
                ans_index_q[INDEX_W +: INDEX_W]  <= index;
                ans_caching_q[3:2]               <= caching;
                ans_prefetch_q[3:2]              <= prefetch;
                ans_distance_q[DIST_W +: DIST_W] <= distance;
                ans_bound_q[ADDR_W +: ADDR_W]    <= bound;
            end
        end

    // ---- writes ----

    integer w;
    always @(posedge clk_i)
        if (rst_i) begin
            used_q     <= {ENTRIES{1'b0}};
            base_q     <= {ENTRIES*ADDR_W{1'b0}};
            bound_q    <= {ENTRIES*ADDR_W{1'b0}};
            prio_q     <= {ENTRIES*PRIO_W{1'b0}};
            caching_q  <= {ENTRIES*2{1'b0}};
            prefetch_q <= {ENTRIES*2{1'b0}};
            distance_q <= {ENTRIES*DIST_W{1'b0}};
        end else if (wr_valid_i)
            for (w = 0; w < ENTRIES; w = w + 1)
                if (wr_index_i == w[INDEX_W-1:0]) begin
                    used_q[w]                       <= wr_used_i;
                    base_q[w*ADDR_W +: ADDR_W]      <= wr_base_i;
                    bound_q[w*ADDR_W +: ADDR_W]     <= wr_bound_i;
                    prio_q[w*PRIO_W +: PRIO_W]      <= wr_prio_i;
                    caching_q[w*2 +: 2]             <= wr_caching_i;
                    prefetch_q[w*2 +: 2]            <= wr_prefetch_i;
                    distance_q[w*DIST_W +: DIST_W]  <= wr_distance_i;
                end

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it. *_was: of the cycle before.
    reg               ans_waits_was = 1'b0;
    reg               ans_match_was;
    reg [INDEX_W-1:0] ans_index_was;
    reg [1:0]         ans_caching_was, ans_prefetch_was;
    reg [DIST_W-1:0]  ans_distance_was;
    reg [ADDR_W-1:0]  ans_bound_was;
    always @(posedge clk_i) begin
        ans_waits_was    <= ans_valid_o && !ans_ready_i && !rst_i;
        ans_match_was    <= ans_match_o;
        ans_index_was    <= ans_index_o;
        ans_caching_was  <= ans_caching_o;
        ans_prefetch_was <= ans_prefetch_o;
        ans_distance_was <= ans_distance_o;
        ans_bound_was    <= ans_bound_o;
        if (ans_waits_was) begin : answer_holds
            assert (ans_valid_o && ans_match_o == ans_match_was && ans_index_o == ans_index_was &&
                    ans_caching_o == ans_caching_was && ans_prefetch_o == ans_prefetch_was &&
                    ans_distance_o == ans_distance_was && ans_bound_o == ans_bound_was);
        end
        if (ans_valid_o && !rst_i) begin : answer_is_an_entrys
            assert ({1'b0, ans_index_o} < ENTRIES[INDEX_W:0] && (ans_match_o || !(|ans_index_o)) && busy_o);
        end
        if (ans_valid_q[1] && !rst_i) begin : so_is_the_one_behind_it
            assert ({1'b0, ans_index_q[INDEX_W +: INDEX_W]} < ENTRIES[INDEX_W:0] &&
                    (ans_match_q[1] || !(|ans_index_q[INDEX_W +: INDEX_W])));
        end
        if (!rst_i) begin : oldest_in_slot_0 assert (ans_valid_q[0] || !ans_valid_q[1]); end
    end
`endif

`ifdef FORMAL
`ifndef LOCALITY_JOINED  // left out where both blocks are proved together: pin_replacement/pin_bypass_claims.v
    // Proved from reset on, for every input; any_a and any_b are any two entries, or one.
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [INDEX_W-1:0] any_a, any_b;  // the solver chooses
    // verilator lint_on UNDRIVEN
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* begin
        if (!started_q) assume (rst_i);
        assume ({1'b0, any_a} < ENTRIES[INDEX_W:0] && {1'b0, any_b} < ENTRIES[INDEX_W:0]);
    end

    // The reference: what was written last into the two entries, at the port.
    reg              a_used_q, b_used_q;
    reg [ADDR_W-1:0] a_base_q, a_bound_q, b_base_q, b_bound_q;
    reg [PRIO_W-1:0] a_prio_q, b_prio_q;
    reg [1:0]        a_caching_q, a_prefetch_q;
    reg [DIST_W-1:0] a_distance_q;
    always @(posedge clk_i)
        if (rst_i) begin
            {a_used_q, a_base_q, a_bound_q, a_prio_q, a_caching_q, a_prefetch_q, a_distance_q} <= 'd0;
            {b_used_q, b_base_q, b_bound_q, b_prio_q} <= 'd0;
        end else if (wr_valid_i) begin
            if (wr_index_i == any_a)
                {a_used_q, a_base_q, a_bound_q, a_prio_q, a_caching_q, a_prefetch_q, a_distance_q} <=
                    {wr_used_i, wr_base_i, wr_bound_i, wr_prio_i, wr_caching_i, wr_prefetch_i, wr_distance_i};
            if (wr_index_i == any_b)
                {b_used_q, b_base_q, b_bound_q, b_prio_q} <= {wr_used_i, wr_base_i, wr_bound_i, wr_prio_i};
        end
    always @*
        if (started_q) begin
            table_is_reference: assert (used_q[any_a] == a_used_q && base_q[any_a*ADDR_W +: ADDR_W] == a_base_q &&
                                        bound_q[any_a*ADDR_W +: ADDR_W] == a_bound_q &&
                                        prio_q[any_a*PRIO_W +: PRIO_W] == a_prio_q);
            policy_is_reference: assert (caching_q[any_a*2 +: 2] == a_caching_q && prefetch_q[any_a*2 +: 2] == a_prefetch_q &&
                                         distance_q[any_a*DIST_W +: DIST_W] == a_distance_q);
            both_are_reference: assert (used_q[any_b] == b_used_q && base_q[any_b*ADDR_W +: ADDR_W] == b_base_q &&
                                        bound_q[any_b*ADDR_W +: ADDR_W] == b_bound_q &&
                                        prio_q[any_b*PRIO_W +: PRIO_W] == b_prio_q);
        end

    // What the two say of the address that is looked up.
    wire a_match = a_used_q && look_addr_i >= a_base_q && look_addr_i < a_bound_q;
    wire b_match = b_used_q && look_addr_i >= b_base_q && look_addr_i < b_bound_q;
    wire b_first = b_prio_q < a_prio_q || (b_prio_q == a_prio_q && any_b < any_a);

    // The answer that has just come, and the one behind it.
    wire               newest       = ans_valid_q[1];
    wire               new_match    = ans_match_q[newest];
    wire [INDEX_W-1:0] new_index    = ans_index_q[newest*INDEX_W +: INDEX_W];
    wire [1:0]         new_caching  = ans_caching_q[newest*2 +: 2];
    wire [1:0]         new_prefetch = ans_prefetch_q[newest*2 +: 2];
    wire [DIST_W-1:0]  new_distance = ans_distance_q[newest*DIST_W +: DIST_W];
    wire [ADDR_W-1:0]  new_bound    = ans_bound_q[newest*ADDR_W +: ADDR_W];

    // Look-ups taken less answers taken: what waits, never more than two.
    reg [1:0] owed_q;
    always @(posedge clk_i)
        if (rst_i) owed_q <= 2'd0;
        else owed_q <= owed_q + {1'b0, look_valid_i && look_ready_o} - {1'b0, ans_valid_o && ans_ready_i};
    always @*
        if (started_q) begin
            one_answer_a_look_up: assert (owed_q == {1'b0, ans_valid_q[0]} + {1'b0, ans_valid_q[1]});
        end

    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(look_valid_i && look_ready_o)) begin
                look_up_is_answered: assert (ans_valid_o);
                // Whoever answers holds the address, and says what was written into it.
                if (new_match && new_index == any_a) begin
                    answer_holds_address: assert ($past(a_match));
                    answer_is_entrys: assert (new_caching == $past(a_caching_q) && new_prefetch == $past(a_prefetch_q) &&
                                              new_distance == $past(a_distance_q) && new_bound == $past(a_bound_q));
                    lowest_priority: assert (!$past(b_match && b_first));
                end
                // No match: no entry holds it, and the answer is the default.
                if (!new_match) begin
                    none_holds_address: assert (!$past(a_match));
                    default_is_0: assert (new_index == 0 && new_caching == 0 && new_prefetch == 0 && new_distance == 0 &&
                                          new_bound == 0);
                end
            end
            // In order: the one behind comes next, as it was.
            if ($past(ans_valid_q[1] && ans_ready_i))
                next_is_as_it_was: assert (ans_valid_o && ans_match_o == $past(ans_match_q[1]) &&
                                           ans_index_o == $past(ans_index_q[INDEX_W +: INDEX_W]) &&
                                           ans_caching_o == $past(ans_caching_q[3:2]) &&
                                           ans_prefetch_o == $past(ans_prefetch_q[3:2]) &&
                                           ans_distance_o == $past(ans_distance_q[DIST_W +: DIST_W]) &&
                                           ans_bound_o == $past(ans_bound_q[ADDR_W +: ADDR_W]));
            // A look-up that is held back goes as soon as an answer has been taken.
            if ($past(look_valid_i && !look_ready_o && ans_ready_i))
                look_up_goes: assert (look_ready_o);
            // Nothing moves without a cause: the model may leave such cycles out.
            if ($past(!busy_o && !look_valid_i && !wr_valid_i)) begin
                quiet_answers: assert ($stable(ans_valid_q) && $stable(ans_match_q) && $stable(ans_index_q) &&
                                       $stable(ans_caching_q) && $stable(ans_prefetch_q) && $stable(ans_distance_q) &&
                                       $stable(ans_bound_q));
                quiet_table: assert ($stable(used_q) && $stable(base_q) && $stable(bound_q) && $stable(prio_q) &&
                                     $stable(caching_q) && $stable(prefetch_q) && $stable(distance_q));
            end
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            later_entry_wins: cover ($past(look_valid_i && look_ready_o && a_match && b_match && any_b < any_a) && new_match &&
                                     new_index == any_a);
            tie_goes_to_first: cover ($past(look_valid_i && look_ready_o && a_match && b_match && a_prio_q == b_prio_q) &&
                                      any_a < any_b && new_match && new_index == any_a);
            no_match_among_used: cover ($past(look_valid_i && look_ready_o && a_used_q && b_used_q) && any_a != any_b &&
                                        !new_match);
            two_wait: cover (ans_valid_q == 2'b11 && ans_match_q == 2'b01 && look_valid_i);
            rewritten_while_answer_waits: cover (ans_valid_o && ans_match_o && ans_index_o == any_a && ans_bound_o != a_bound_q);
        end
`endif
`endif
endmodule
`default_nettype wire
