//! The algorithms, by the field's names.

/// The algorithm behind an implementation: decides the slow model whose answers [`verify`](crate::verify) compares with its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    Modulo,
    Jump,
    JumpLinear,
    JumpDraws,
    /// With 32 or 64 bits a draw.
    JumpBack {
        draw_bits: u32,
    },
    JumpBackAnchor,
    Power,
    Flip,
    Binomial,
    Round,
    /// Clockwise ring with positions of this many bits.
    Ring {
        position_bits: u32,
    },
    RingNearest,
    RingWeighted,
    MultiProbe,
    TokenAllocator,
    Dynamo,
    PartitionTable,
    Maglev,
    Rendezvous,
    RendezvousWeighted,
    Anchor,
    Dx,
    Memento,
    /// One of this name that has no model: its answers are checked by its promises alone, and the check `reference` says so.
    Other(&'static str),
}

impl Algorithm {
    /// The field's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Modulo => "modulo",
            Self::Jump => "jump",
            Self::JumpLinear => "jump, linear time",
            Self::JumpDraws => "jump, real draws",
            Self::JumpBack { .. } => "JumpBackHash",
            Self::JumpBackAnchor => "JumpBackHash, anchor set",
            Self::Power => "PowerCH",
            Self::Flip => "FlipHash",
            Self::Binomial => "BinomialHash",
            Self::Round => "round-hashing",
            Self::Ring { .. } => "ring",
            Self::RingNearest => "ring, nearest point",
            Self::RingWeighted => "ring, weighted",
            Self::MultiProbe => "multi-probe",
            Self::TokenAllocator => "token allocation",
            Self::Dynamo => "Dynamo",
            Self::PartitionTable => "partition table",
            Self::Maglev => "Maglev",
            Self::Rendezvous => "rendezvous",
            Self::RendezvousWeighted => "rendezvous, weighted",
            Self::Anchor => "AnchorHash",
            Self::Dx => "DxHash",
            Self::Memento => "MementoHash",
            Self::Other(name) => name,
        }
    }
}
