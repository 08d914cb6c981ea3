package roll.torch.model;

import org.jspecify.annotations.Nullable;
import roll.torch.TokenTensors;
import roll.torch.vision.VisionInput;

/**
 * A micro-batch as a model takes it.
 *
 * @param text its tokens
 * @param seen what the model sees, or null where that is text alone
 */
public record ModelInput(TokenTensors text, @Nullable VisionInput seen) {}
