/** Groups of ranks in several processes: libtorch's own Gloo, called by its C++ symbols. */
@NullMarked
package roll.collectives.gloo;

import org.jspecify.annotations.NullMarked;
