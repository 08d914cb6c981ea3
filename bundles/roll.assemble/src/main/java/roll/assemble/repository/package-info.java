/** Repositories of plugins, by bnd's reader of their indexes and its resolver. */
@NullMarked
package roll.assemble.repository;

import org.jspecify.annotations.NullMarked;
