@NullMarked
package roll.cluster.inference.calls;

import org.jspecify.annotations.NullMarked;
