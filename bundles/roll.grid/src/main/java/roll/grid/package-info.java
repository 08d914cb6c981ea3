/** Grid environments: options, action parsing, pictures, and the split of levels. */
@Export
@NullMarked
@Version("1.0.0")
package roll.grid;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
