/** Decoders described by a config.json: dimensions, parameters and memory. */
@Export
@NullMarked
@Version("1.0.0")
package roll.decoder;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
