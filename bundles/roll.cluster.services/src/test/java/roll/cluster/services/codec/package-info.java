@NullMarked
package roll.cluster.services.codec;

import org.jspecify.annotations.NullMarked;
