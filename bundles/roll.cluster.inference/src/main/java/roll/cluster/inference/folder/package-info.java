/** How model folders come to other nodes. */
@NullMarked
package roll.cluster.inference.folder;

import org.jspecify.annotations.NullMarked;
