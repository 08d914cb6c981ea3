/** Tests of the compute layer. */
@NullMarked
package roll.parallel.collective;

import org.jspecify.annotations.NullMarked;
