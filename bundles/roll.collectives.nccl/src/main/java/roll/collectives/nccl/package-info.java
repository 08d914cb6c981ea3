/** Groups of ranks on CUDA cards: NCCL and CUDA's driver, called by their C interfaces. */
@NullMarked
package roll.collectives.nccl;

import org.jspecify.annotations.NullMarked;
