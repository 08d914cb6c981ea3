@NullMarked
package roll.cluster.inference.codec;

import org.jspecify.annotations.NullMarked;
