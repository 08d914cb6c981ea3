package roll.cluster.inference.weights;

import java.util.List;
import roll.api.model.DecoderSpec;
import roll.cluster.transfer.TransferPeer;

/**
 * Offer of weights to a node that is to pull them.
 *
 * @param channel of a {@link WeightChannel}
 * @param epoch of the transferred version
 * @param number of the transferred version; this one or a newer one is pulled
 * @param port where the offering node serves them
 * @param spec the model
 * @param version number of optimizer steps that made the weights
 * @param narrow whether the numbers are bf16
 * @param peers other nodes that pull them, too
 */
public record WeightOffer(
    String channel,
    long epoch,
    long number,
    int port,
    DecoderSpec spec,
    long version,
    boolean narrow,
    List<TransferPeer> peers) {
  /** Creates an offer with a copy of the list. */
  public WeightOffer {
    peers = List.copyOf(peers);
  }
}
