package roll.itests.kind;

/** An ordering without options. */
public final class HardFirst implements Ordering {}
