/** YAML as a tree of values with their origins: read, composed, interpolated, overridden. */
@NullMarked
package roll.config.tree;

import org.jspecify.annotations.NullMarked;
