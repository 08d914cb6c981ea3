/** Against libraries with the functions of NVIDIA's. */
@NullMarked
package roll.collectives.nccl;

import org.jspecify.annotations.NullMarked;
