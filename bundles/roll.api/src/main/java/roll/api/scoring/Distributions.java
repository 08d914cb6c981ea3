package roll.api.scoring;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * The distributions of a session's model over the vocabulary, for a comparison with another model.
 * Valid until the session is updated or closed; computed with the current weights, nothing is
 * copied. The contents are private to the compute layer.
 */
@ConsumerType
public interface Distributions {}
