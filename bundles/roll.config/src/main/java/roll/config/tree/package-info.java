/**
 * YAML as a tree of values that know where they come from: read, composed, interpolated,
 * overridden.
 */
@NullMarked
package roll.config.tree;

import org.jspecify.annotations.NullMarked;
