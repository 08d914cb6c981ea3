/** Pictures as models that see take them. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.image;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
