import p::*;
module b; initial $system("x"); endmodule
