/** Families of models: what a {@code config.json} of a kind describes. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.model.family;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
