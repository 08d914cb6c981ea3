/** Hugging Face's folders without a model: safetensors, adapters of PEFT, tokenizers. */
@Export
@NullMarked
@Version("1.0.0")
package roll.huggingface;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
