/** On the libtorch of the tests. */
@NullMarked
package roll.collectives.gloo;

import org.jspecify.annotations.NullMarked;
