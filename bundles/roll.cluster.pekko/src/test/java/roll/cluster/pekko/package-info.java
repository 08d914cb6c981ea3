@NullMarked
package roll.cluster.pekko;

import org.jspecify.annotations.NullMarked;
