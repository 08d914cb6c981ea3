@NullMarked
package roll.runtime.nodes;

import org.jspecify.annotations.NullMarked;
