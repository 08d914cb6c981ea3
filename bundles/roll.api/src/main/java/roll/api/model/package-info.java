/** Tokenizers, chat templates and shapes of models: what a model folder contains. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.model;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
