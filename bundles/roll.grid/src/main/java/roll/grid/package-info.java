/** Worlds on a grid, actions read from responses, and whether a world is text or a picture. */
@Export
@NullMarked
@Version("1.0.0")
package roll.grid;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
