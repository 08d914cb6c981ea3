/** The sandbox that a plugin's options name. */
@Export
@NullMarked
@Version("1.0.0")
package roll.sandbox;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
