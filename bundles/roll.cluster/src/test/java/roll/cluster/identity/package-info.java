@NullMarked
package roll.cluster.identity;

import org.jspecify.annotations.NullMarked;
