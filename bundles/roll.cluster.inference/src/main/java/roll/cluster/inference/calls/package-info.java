/** What nodes ask each other about strategies. */
@NullMarked
package roll.cluster.inference.calls;

import org.jspecify.annotations.NullMarked;
