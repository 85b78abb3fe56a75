// tafe_comparator: the table of tracked arrays; finds the stores into them and cuts these into elements.
//
// The first stage compares the address with every entry (base <= address < limit; the lowest entry wins). The second
// subtracts the base, shifts by the element's size and gives the elements of the store one after another. A store that
// is narrower than an element gives an element of unknown value (el_saturated_o), and so does a value that does not fit
// into INDEX_W bits. Elements at or above the limit are left out.
//
// Latency     an element is there two edges after its store is taken, if nothing waits before it.
// Throughput  an element a cycle; a store into no tracked array ends in the first stage.
// Handshake   ready/valid; st_ready_o depends on el_ready_i and drain_i, el_valid_o on registers alone.
// Source      tafe, section 4.3, Figure 9, step 1
`default_nettype none
module tafe_comparator #(
    parameter ENTRIES = 2,               // all as in tafe_top
    parameter ADDR_W  = 48,
    parameter INDEX_W = 32
) (
    input  wire                       clk_i,
    input  wire                       rst_i,          // synchronous, active high
    input  wire                       drain_i,        // no store is taken
    input  wire                       st_valid_i,
    output wire                       st_ready_o,
    input  wire [ADDR_W-1:0]          st_addr_i,
    input  wire [63:0]                st_data_i,
    input  wire [1:0]                 st_size_i,
    input  wire                       register_i,     // fills entry cmd_entry_i; the pipeline is empty then
    input  wire                       free_i,         // frees it
    input  wire [$clog2(ENTRIES)-1:0] cmd_entry_i,
    input  wire [ADDR_W-1:0]          cmd_base_i,
    input  wire [ADDR_W-1:0]          cmd_limit_i,
    input  wire [1:0]                 cmd_size_i,
    input  wire                       cmd_type_i,
    input  wire [ADDR_W-7:0]          cmd_extents_i,
    input  wire [ADDR_W-7:0]          cmd_source_i,
    input  wire [INDEX_W-1:0]         cmd_c_s_i,
    input  wire [INDEX_W-1:0]         cmd_c_e_i,
    output wire                       el_valid_o,
    input  wire                       el_ready_i,
    output wire [$clog2(ENTRIES)-1:0] el_entry_o,
    output wire [INDEX_W-1:0]         el_index_o,
    output wire [INDEX_W-1:0]         el_value_o,
    output wire                       el_saturated_o,
    input  wire [$clog2(ENTRIES)-1:0] inv_entry_i,    // the entry that the inverse relation works for: its fields
    output wire                       inv_type_o,
    output wire [ADDR_W-7:0]          inv_source_o,
    output wire [INDEX_W-1:0]         inv_c_s_o,
    output wire [INDEX_W-1:0]         inv_c_e_o,
    output wire [INDEX_W-1:0]         inv_count_o,    // elements of the array
    input  wire [$clog2(ENTRIES)-1:0] ext_entry_i,    // the entry whose extent is widened
    output wire [ADDR_W-7:0]          ext_extents_o,
    output wire                       busy_o
);
    localparam ENTRY_W = $clog2(ENTRIES);
    localparam LINE_W  = ADDR_W - 6;

    reg [ENTRIES-1:0]         valid_q;                // the table
    reg [ENTRIES*ADDR_W-1:0]  base_q;
    reg [ENTRIES*ADDR_W-1:0]  limit_q;
    reg [ENTRIES*2-1:0]       size_q;
    reg [ENTRIES-1:0]         type_q;
    reg [ENTRIES*LINE_W-1:0]  extents_q;
    reg [ENTRIES*LINE_W-1:0]  source_q;
    reg [ENTRIES*INDEX_W-1:0] c_s_q;
    reg [ENTRIES*INDEX_W-1:0] c_e_q;
    reg                       first_valid_q;          // the first stage
    reg [ADDR_W-1:0]          first_addr_q;
    reg [63:0]                first_data_q;
    reg [1:0]                 first_size_q;
    reg                       second_valid_q;         // the second
    reg [ENTRY_W-1:0]         second_entry_q;
    reg [ADDR_W-1:0]          second_addr_q;
    reg [63:0]                second_data_q;
    reg [1:0]                 second_size_q;
    reg [2:0]                 part_q;

    // ---- first stage: whose ----

    reg                hit;
    reg  [ENTRY_W-1:0] entry;
    integer            i;
    always @* begin
        hit   = 1'b0;
        entry = {ENTRY_W{1'b0}};
        for (i = ENTRIES - 1; i >= 0; i = i - 1)
            if (valid_q[i] && first_addr_q >= base_q[i*ADDR_W +: ADDR_W] && first_addr_q < limit_q[i*ADDR_W +: ADDR_W]) begin
                hit   = 1'b1;
                entry = i[ENTRY_W-1:0];
            end
    end

    // ---- second stage: which element, which value ----

    wire [1:0]         size      = size_q[second_entry_q*2 +: 2];
    wire [ADDR_W-1:0]  offset    = second_addr_q - base_q[second_entry_q*ADDR_W +: ADDR_W];
    wire [ADDR_W-1:0]  element   = offset >> size;
    wire [INDEX_W-1:0] index     = element[INDEX_W-1:0] + {{INDEX_W-3{1'b0}}, part_q};
    wire [ADDR_W-1:0]  length    = limit_q[second_entry_q*ADDR_W +: ADDR_W] - base_q[second_entry_q*ADDR_W +: ADDR_W];
    wire [ADDR_W-1:0]  elements  = length >> size;
    wire [2:0]         last_part = second_size_q <= size ? 3'd0 : (3'd1 << (second_size_q - size)) - 3'd1;
    wire               last      = part_q == last_part || index + 1'b1 == elements[INDEX_W-1:0];
    wire [63:0]        shifted   = second_data_q >> ({3'd0, part_q} << ({1'b0, size} + 3'd3));
    wire [63:0]        field     = shifted & ~(~64'd1 << (6'd7 + (6'd8 * ((6'd1 << size) - 6'd1))));
    wire [63:0]        above     = field >> INDEX_W;

    wire second_leaves = second_valid_q && el_ready_i && last;
    wire second_free   = !second_valid_q || second_leaves;
    wire advance       = first_valid_q && hit && second_free;
    wire first_leaves  = first_valid_q && (!hit || second_free);
    wire take          = st_valid_i && st_ready_o;

    assign st_ready_o     = !drain_i && (!first_valid_q || first_leaves);
    assign el_valid_o     = second_valid_q;
    assign el_entry_o     = second_entry_q;
    assign el_index_o     = index;
    assign el_value_o     = field[INDEX_W-1:0];
    assign el_saturated_o = second_size_q < size || above != 64'd0;
    assign busy_o         = first_valid_q || second_valid_q;

    // ---- the table as the later stages see it ----

    wire [1:0]        inv_size     = size_q[inv_entry_i*2 +: 2];
    wire [ADDR_W-1:0] inv_length   = limit_q[inv_entry_i*ADDR_W +: ADDR_W] - base_q[inv_entry_i*ADDR_W +: ADDR_W];
    wire [ADDR_W-1:0] inv_elements = inv_length >> inv_size;
    assign inv_type_o    = type_q[inv_entry_i];
    assign inv_source_o  = source_q[inv_entry_i*LINE_W +: LINE_W];
    assign inv_c_s_o     = c_s_q[inv_entry_i*INDEX_W +: INDEX_W];
    assign inv_c_e_o     = c_e_q[inv_entry_i*INDEX_W +: INDEX_W];
    assign inv_count_o   = inv_elements[INDEX_W-1:0];
    assign ext_extents_o = extents_q[ext_entry_i*LINE_W +: LINE_W];

    wire unused = &{1'b0, element[ADDR_W-1:INDEX_W], elements[ADDR_W-1:INDEX_W], inv_elements[ADDR_W-1:INDEX_W]};

    always @(posedge clk_i)
        if (rst_i) begin
            valid_q        <= {ENTRIES{1'b0}};
            base_q         <= {ENTRIES*ADDR_W{1'b0}};
            limit_q        <= {ENTRIES*ADDR_W{1'b0}};
            size_q         <= {ENTRIES*2{1'b0}};
            type_q         <= {ENTRIES{1'b0}};
            extents_q      <= {ENTRIES*LINE_W{1'b0}};
            source_q       <= {ENTRIES*LINE_W{1'b0}};
            c_s_q          <= {ENTRIES*INDEX_W{1'b0}};
            c_e_q          <= {ENTRIES*INDEX_W{1'b0}};
            first_valid_q  <= 1'b0;
            first_addr_q   <= {ADDR_W{1'b0}};
            first_data_q   <= 64'd0;
            first_size_q   <= 2'd0;
            second_valid_q <= 1'b0;
            second_entry_q <= {ENTRY_W{1'b0}};
            second_addr_q  <= {ADDR_W{1'b0}};
            second_data_q  <= 64'd0;
            second_size_q  <= 2'd0;
            part_q         <= 3'd0;
        end else begin
            first_valid_q  <= take || (first_valid_q && !first_leaves);
            second_valid_q <= advance || (second_valid_q && !second_leaves);
            if (take) begin
                first_addr_q <= st_addr_i;
                first_data_q <= st_data_i;
                first_size_q <= st_size_i;
            end
            if (advance) begin
                second_entry_q <= entry;
                second_addr_q  <= first_addr_q;
                second_data_q  <= first_data_q;
                second_size_q  <= first_size_q;
                part_q         <= 3'd0;
            end else if (second_valid_q && el_ready_i && !last)
                part_q <= part_q + 3'd1;
            if (free_i)
                valid_q[cmd_entry_i] <= 1'b0;
            if (register_i) begin
                valid_q[cmd_entry_i]                       <= 1'b1;
                base_q[cmd_entry_i*ADDR_W +: ADDR_W]       <= cmd_base_i;
                limit_q[cmd_entry_i*ADDR_W +: ADDR_W]      <= cmd_limit_i;
                size_q[cmd_entry_i*2 +: 2]                 <= cmd_size_i;
                type_q[cmd_entry_i]                        <= cmd_type_i;
                extents_q[cmd_entry_i*LINE_W +: LINE_W]    <= cmd_extents_i;
                source_q[cmd_entry_i*LINE_W +: LINE_W]     <= cmd_source_i;
                c_s_q[cmd_entry_i*INDEX_W +: INDEX_W]      <= cmd_c_s_i;
                c_e_q[cmd_entry_i*INDEX_W +: INDEX_W]      <= cmd_c_e_i;
            end
        end

`ifdef FORMAL
`ifndef TAFE_STAGES_JOINED // where the stages are proved joined, what is assumed here is a claim
    // Proved from reset on, for every input that keeps the protocol, against the table as it was registered and a queue
    // of the stores into it that were taken. other is any entry, another one than an element's.
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [ENTRY_W-1:0] other;                              // the solver chooses
    // verilator lint_on UNDRIVEN
    localparam WIDE = ADDR_W + 1;
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;

    // ---- the reference: arrays by what their commands said, [base, limit) in bytes ----

    reg [ENTRIES-1:0]         ref_valid_q;
    reg [ENTRIES*ADDR_W-1:0]  ref_base_q, ref_limit_q;
    reg [ENTRIES*2-1:0]       ref_size_q;
    reg                       other_type_q;
    reg [LINE_W-1:0]          other_extents_q, other_source_q;
    reg [INDEX_W-1:0]         other_c_s_q, other_c_e_q;
    always @(posedge clk_i)
        if (rst_i) begin
            ref_valid_q <= 0; ref_base_q <= 0; ref_limit_q <= 0; ref_size_q <= 0;
            other_type_q <= 0; other_extents_q <= 0; other_source_q <= 0; other_c_s_q <= 0; other_c_e_q <= 0;
        end else begin
            if (free_i) ref_valid_q[cmd_entry_i] <= 1'b0;
            if (register_i) begin
                ref_valid_q[cmd_entry_i]                   <= 1'b1;
                ref_base_q[cmd_entry_i*ADDR_W +: ADDR_W]   <= cmd_base_i;
                ref_limit_q[cmd_entry_i*ADDR_W +: ADDR_W]  <= cmd_limit_i;
                ref_size_q[cmd_entry_i*2 +: 2]             <= cmd_size_i;
                if (cmd_entry_i == other)
                    {other_type_q, other_extents_q, other_source_q, other_c_s_q, other_c_e_q} <=
                        {cmd_type_i, cmd_extents_i, cmd_source_i, cmd_c_s_i, cmd_c_e_i};
            end
        end

    // Which arrays have an address: a bit an entry.
    function [ENTRIES-1:0] having(input [ADDR_W-1:0] addr);
        integer e;
        for (e = 0; e < ENTRIES; e = e + 1)
            having[e] = ref_valid_q[e] && ref_base_q[e*ADDR_W +: ADDR_W] <= addr && addr < ref_limit_q[e*ADDR_W +: ADDR_W];
    endfunction

    // ---- the reference: stores into arrays that were taken, the older first, and how many elements it has given ----

    reg  [1:0]         ref_n_q;
    reg  [ADDR_W-1:0]  old_addr_q, new_addr_q;
    reg  [63:0]        old_data_q, new_data_q;
    reg  [1:0]         old_size_q, new_size_q;
    reg  [2:0]         given_q;
    wire               comes    = take && |having(st_addr_i);
    wire               gives    = el_valid_o && el_ready_i;
    wire [ENTRIES-1:0] theirs   = having(old_addr_q);
    wire [1:0]         its_size = ref_size_q[el_entry_o*2 +: 2];
    wire [WIDE-1:0]    its_base = {1'b0, ref_base_q[el_entry_o*ADDR_W +: ADDR_W]};
    wire [WIDE-1:0]    its_end  = {1'b0, ref_limit_q[el_entry_o*ADDR_W +: ADDR_W]};
    wire [3:0]         bytes    = 4'd1 << its_size;                       // of an element
    wire [WIDE-1:0]    first    = {1'b0, old_addr_q} & ~({{WIDE-4{1'b0}}, bytes} - 1); // the first element's
    wire [WIDE-1:0]    begins   = first + ({{WIDE-3{1'b0}}, given_q} << its_size);
    wire [WIDE-1:0]    behind   = begins + {{WIDE-4{1'b0}}, bytes};
    wire               over     = behind >= {1'b0, old_addr_q} + ({{WIDE-1{1'b0}}, 1'b1} << old_size_q) || behind >= its_end;
    wire               goes     = gives && over;
    always @(posedge clk_i)
        if (rst_i) begin
            ref_n_q <= 2'd0; given_q <= 3'd0;
            old_addr_q <= 0; old_data_q <= 0; old_size_q <= 0; new_addr_q <= 0; new_data_q <= 0; new_size_q <= 0;
        end else begin
            ref_n_q <= ref_n_q + {1'b0, comes} - {1'b0, goes};
            given_q <= goes ? 3'd0 : given_q + {2'd0, gives};
            if (goes ? ref_n_q == 2'd1 : ref_n_q == 2'd0) begin
                if (comes) {old_addr_q, old_data_q, old_size_q} <= {st_addr_i, st_data_i, st_size_i};
            end else begin
                if (goes) {old_addr_q, old_data_q, old_size_q} <= {new_addr_q, new_data_q, new_size_q};
                if (comes) {new_addr_q, new_data_q, new_size_q} <= {st_addr_i, st_data_i, st_size_i};
            end
        end

    // The value of the element: the bytes of the store that are the element's.
    wire [6:0]  bits  = {bytes, 3'd0};
    wire [63:0] value = (old_data_q >> (bits * given_q)) & ~(~64'd1 << (bits - 7'd1));

    // ---- what is assumed: csim/hw/tafe/tafe.h; that commands wait is a claim of the stages joined ----

    wire [ADDR_W-1:0] cmd_length = cmd_limit_i - cmd_base_i;
    wire [ADDR_W-1:0] cmd_count  = cmd_length >> cmd_size_i;
    always @* begin
        if (!started_q) assume (rst_i);
        assume ((st_addr_i & ((1 << st_size_i) - 1)) == 0);
        if (register_i || free_i) assume (drain_i && !busy_o && !(register_i && free_i));
        if (register_i)
            assume (cmd_base_i[2:0] == 3'd0 && cmd_base_i <= cmd_limit_i && (cmd_length & ((1 << cmd_size_i) - 1)) == 0 &&
                    (cmd_count >> INDEX_W) == 0);
    end

    // ---- claims ----

    always @*
        if (started_q && !rst_i) begin
            if (el_valid_o) begin
                there_is_a_store: assert (ref_n_q != 2'd0);
                entry_has_the_address: assert (theirs[el_entry_o]);
                lowest_entry: assert (!(other < el_entry_o && theirs[other]));
                which_element: assert (its_base + ({{WIDE-INDEX_W{1'b0}}, el_index_o} << its_size) == begins);
                none_behind_the_limit: assert (begins < its_end);
                which_value: assert (el_saturated_o || el_value_o == value[INDEX_W-1:0]);
                unknown_or_too_large: assert (el_saturated_o == (old_size_q < its_size || (value >> INDEX_W) != 0));
            end
            // A store waits only behind two that have elements to give, and never while it could be taken.
            takes_when_it_can: assert (st_ready_o == (!drain_i && (ref_n_q != 2'd2 || goes)));
            if (inv_entry_i == other) begin
                fields_are_registered: assert ({inv_type_o, inv_source_o, inv_c_s_o, inv_c_e_o} ==
                                               {other_type_q, other_source_q, other_c_s_q, other_c_e_q});
                count_is_of_elements: assert (({{WIDE-INDEX_W{1'b0}}, inv_count_o} << ref_size_q[other*2 +: 2]) ==
                    {1'b0, ref_limit_q[other*ADDR_W +: ADDR_W]} - {1'b0, ref_base_q[other*ADDR_W +: ADDR_W]});
            end
            if (ext_entry_i == other) extents_are_registered: assert (ext_extents_o == other_extents_q);

            // ---- what makes them inductive ----
            table_is_registered: assert ({valid_q, base_q, limit_q, size_q} == {ref_valid_q, ref_base_q, ref_limit_q, ref_size_q});
            other_is_registered: assert ({type_q[other], extents_q[other*LINE_W +: LINE_W], source_q[other*LINE_W +: LINE_W],
                                          c_s_q[other*INDEX_W +: INDEX_W], c_e_q[other*INDEX_W +: INDEX_W]} ==
                                         {other_type_q, other_extents_q, other_source_q, other_c_s_q, other_c_e_q});
            all_are_known: assert (ref_n_q == {1'b0, second_valid_q} + {1'b0, first_valid_q && |having(first_addr_q)});
            if (second_valid_q) second_is_the_older: assert (part_q == given_q &&
                {second_addr_q, second_data_q, second_size_q} == {old_addr_q, old_data_q, old_size_q});
            if (second_valid_q) store_goes_on: assert (begins < {1'b0, old_addr_q} + ({{WIDE-1{1'b0}}, 1'b1} << old_size_q));
            if (!second_valid_q) none_given: assert (given_q == 3'd0);
            if (first_valid_q && |having(first_addr_q)) first_is_the_newer: assert ({first_addr_q, first_data_q, first_size_q} ==
                (second_valid_q ? {new_addr_q, new_data_q, new_size_q} : {old_addr_q, old_data_q, old_size_q}));
            stores_are_aligned: assert ((old_addr_q & ((1 << old_size_q) - 1)) == 0 &&
                                        (first_addr_q & ((1 << first_size_q) - 1)) == 0);
        end
    genvar g;
    generate
        for (g = 0; g < ENTRIES; g = g + 1) begin : g_entry
            wire [ADDR_W-1:0] base   = ref_base_q[g*ADDR_W +: ADDR_W];
            wire [ADDR_W-1:0] span   = ref_limit_q[g*ADDR_W +: ADDR_W] - base;
            wire [1:0]        shift  = ref_size_q[g*2 +: 2];
            wire [ADDR_W-1:0] count  = span >> shift;
            always @*
                if (started_q && !rst_i)
                    assert (base[2:0] == 3'd0 && base <= ref_limit_q[g*ADDR_W +: ADDR_W] &&
                            (span & ((1 << shift) - 1)) == 0 && (count >> INDEX_W) == 0);
        end
    endgenerate
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            // Its first element comes in the second cycle after the one in which it is taken, if none is before it.
            if ($past(ref_n_q != 2'd0 && !el_valid_o)) in_time: assert (el_valid_o);
            if ($past(el_valid_o && !el_ready_i))
                element_holds: assert (el_valid_o && $stable(el_entry_o) && $stable(el_index_o) && $stable(el_value_o) &&
                                       $stable(el_saturated_o));
            if ($past(!busy_o && !st_valid_i && !register_i && !free_i)) begin
                quiet_table: assert ($stable(valid_q) && $stable(base_q) && $stable(limit_q) && $stable(size_q) && $stable(type_q) &&
                                     $stable(extents_q) && $stable(source_q) && $stable(c_s_q) && $stable(c_e_q));
                quiet_stages: assert ($stable(first_valid_q) && $stable(first_addr_q) && $stable(first_data_q) &&
                                      $stable(first_size_q) && $stable(second_valid_q) && $stable(second_entry_q) &&
                                      $stable(second_addr_q) && $stable(second_data_q) && $stable(second_size_q) && $stable(part_q));
            end
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            overlap: cover (gives && theirs[el_entry_o] && theirs[other] && other != el_entry_o);
            the_higher_alone: cover (gives && el_entry_o != 0 && ref_valid_q[0]);
            cut_at_the_limit: cover (goes && behind == its_end && behind < {1'b0, old_addr_q} + ({{WIDE-1{1'b0}}, 1'b1} << old_size_q));
            eight_elements: cover (goes && given_q == 3'd7);
            narrow: cover (gives && old_size_q < its_size);
            too_large: cover (gives && el_saturated_o && old_size_q >= its_size);
            two_wait: cover (ref_n_q == 2'd2 && el_valid_o && !el_ready_i && !st_ready_o && !drain_i);
            into_no_array: cover (take && !comes && |ref_valid_q && ref_n_q == 2'd1);
            freed: cover ($past(free_i) && take && !comes);
        end
`endif
`endif
endmodule
`default_nettype wire
