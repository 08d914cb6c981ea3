/**
 * A model in training on several ranks: its parameters, gradients and optimizer cut over data
 * parallel ranks (ZeRO), its layers over tensor parallel ones, its depth over pipeline stages. One
 * rank is one {@link roll.torch.Device}; they meet in {@link roll.parallel.collective collectives}.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.parallel;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
