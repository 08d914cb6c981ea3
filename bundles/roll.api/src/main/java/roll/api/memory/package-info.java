/** Device memory of models. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.memory;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
